import { findMissingPrograms } from '../../inspect.js';
import { type Finding, type SettledContext, withoutStop } from './finding.js';

const node = { id: 'node', title: 'Node.js' } as const;
const programs = { id: 'programs', title: 'Programs' } as const;

/** As package.json has it. */
const OLDEST: readonly [number, number] = [20, 19];

export const checkNode = (version: string): readonly Finding[] => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor))
    return [{ ...node, state: 'ok', text: version }];
  const fix = `Install version ${OLDEST.join('.')} or newer.`;
  return [{ ...node, state: 'mend', text: `${version} is too old`, fix }];
};

/** Of the host, where a setting needs them. */
export const checkPrograms = async ({ settings }: SettledContext): Promise<readonly Finding[]> => {
  const missing = await findMissingPrograms(settings.voice);
  if (missing.length === 0)
    return [{ ...programs, state: 'ok', text: 'all that the settings need are there' }];
  return missing.map((sentence): Finding => {
    const [, what = sentence, fix = sentence] = /^(.*?):\s+(`.*)$/su.exec(sentence) ?? [];
    return { ...programs, state: 'mend', text: withoutStop(what), fix };
  });
};
