/** Sentences about settings that several rooms say the same way. */

/** A setting as people know it: by its variable where it has one. */
export const nameSetting = (path: string, variable: string | undefined): string =>
  variable === undefined ? path : `${variable} (or ${path})`;

/** The address of a service as it may be shown: no user, no password, no query. */
export const toShownAddress = (baseUrl: string): string => {
  if (!URL.canParse(baseUrl)) return 'its address';
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname === '/' ? '' : pathname}`;
};

export interface DescribedModel {
  readonly name: string;
  readonly isDemo: boolean;
  /** As it may be shown; absent for a model inside the gateway. */
  readonly address?: string;
}

export const describeModel = ({ name, isDemo, address }: DescribedModel): string => {
  if (isDemo) return `${name} (a scripted demo, no real model)`;
  return address === undefined ? name : `${name} at ${address}`;
};

export interface ClosedPlatform {
  readonly id: string;
  readonly title: string;
  /** The variable that lists who may write, if there is one. */
  readonly variable: string | undefined;
  readonly strangers: 'pair' | 'ignore';
}

/** How the first person gets in on a platform that lists nobody. */
export const adviseFirstUser = ({ id, title, variable, strangers }: ClosedPlatform): string => {
  const setting = nameSetting(`platforms.${id}.allowed_users`, variable);
  return strangers === 'ignore'
    ? `List user ids of ${title} in ${setting}.`
    : `Write to the bot in ${title}: it answers with your id, for ${setting}, and with a code, for \`hermes pairing approve ${id} CODE\`.`;
};
