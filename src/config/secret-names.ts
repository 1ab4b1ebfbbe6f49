import { isTree, type Tree, walkScalars } from './tree.js';

const secretName = /(?:^|_)(?:token|secret|api_?key|password|passphrase)$/iu;

/** True for the names of keys and variables whose values are never shown. */
export const isSecretName = (name: string): boolean => secretName.test(name);

const stars = '***';

/** The same settings with stars for every secret, also one inside a URL. */
export const hideSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (typeof value === 'string') return value.replace(/(\/\/[^/@\s:]*:)[^/@\s]+@/gu, `$1${stars}@`);
  if (!isTree(value)) return value;
  const shown: Tree = {};
  for (const [key, inner] of Object.entries(value)) {
    const isHidden = isSecretName(key) && inner !== undefined && inner !== '';
    shown[key] = isHidden ? stars : hideSecrets(inner);
  }
  return shown;
};

/** Every secret in the settings: values of keys named like one, and passwords inside URLs. */
export const secretsIn = (tree: unknown): readonly string[] => {
  const secrets: string[] = [];
  walkScalars(tree, (scalar, path) => {
    if (typeof scalar !== 'string' || scalar === '') return;
    if (path.some((key) => typeof key === 'string' && isSecretName(key))) secrets.push(scalar);
    const password = /\/\/[^/@\s:]*:([^/@\s]+)@/u.exec(scalar)?.[1];
    if (password !== undefined) secrets.push(password);
  });
  return secrets;
};
