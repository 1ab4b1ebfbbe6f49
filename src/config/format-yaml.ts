import { stringify } from 'yaml';

/** Plain data as YAML, for people to read. */
export const formatYaml = (value: unknown): string => stringify(value, { lineWidth: 100 });
