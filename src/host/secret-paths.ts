/** Which files are never read for a model or sent to a chat, wherever they lie. */
import { isAbsolute, relative, sep } from 'node:path';

/** What editors and careful people leave beside a file: the same content under a longer name. */
const copyEnding = /(?:~|\.(?:bak|backup|old|orig|save|saved|copy|tmp|sw[a-p]|\d+)|#| copy| \(\d+\))+$/u;

const secretNames: readonly RegExp[] = [
  /\.env(?:rc|[._-](?!example$|sample$|template$|dist$).*)?$/u,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|ovpn)$/u,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:\.|$)/u,
  /^[._]?(?:netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd|my\.cnf|vault[-_]token|vault_pass|s3cfg|boto|rclone\.conf|kubeconfig)$/u,
  /^(?:credentials|auth|secrets?|service[-_]?account|client_secret|application_default_credentials|access_?keys)(?:\.(?:json|ya?ml|toml|ini|txt|csv|db))?$/u,
  /^\.bash_history$|^\.zsh_history$|^\.python_history$/u,
  // The gateway's own: what was said, and who may say it.
  /^(?:state|gateway)\.db/u,
  /^gateway\.(?:sock|lock)/u,
];

const secretFolders = new Set([
  '.ssh',
  '.gnupg',
  '.aws',
  '.kube',
  '.docker',
  '.azure',
  '.oci',
  'gcloud',
  '.terraform.d',
  '.password-store',
]);

/** What of the home is no secret: made by or for the agent. */
const openFolders = new Set(['workspace', 'cache', 'skills', 'scripts', 'cron']);

/** True also for the folder itself. */
export const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

interface Places {
  /** Real path of the home. */
  readonly home: string;
  /** Real path of the folder that the file was asked for in. */
  readonly root: string;
}

/** Inside the home, and neither made by nor for the agent. Both absolute. */
export const isGatewayOwn = (path: string, home: string): boolean =>
  path !== home && isInside(path, home) && !openFolders.has(relative(home, path).split(sep)[0] ?? '');

const isPrivateInHome = (path: string, { home, root }: Places): boolean => {
  // The folder itself shows only what of it is open.
  if (path === home || !isInside(path, home)) return false;
  // A workspace of its own inside the home is meant to be read; the whole home as workspace is not.
  if (root !== home && isInside(root, home)) return false;
  return isGatewayOwn(path, home);
};

/** `path` is real and inside `root`. */
export const isSecretPath = (path: string, places: Places): boolean => {
  const parts = relative(places.root, path).toLowerCase().split(sep);
  const name = parts.at(-1) ?? '';
  const original = name.replace(/^\.?#/u, '').replace(copyEnding, '');
  // An editor's swap file has a dot more before the name.
  const names = [name, original, original.replace(/^\./u, '')];
  return (
    secretNames.some((pattern) => names.some((one) => pattern.test(one))) ||
    parts.some((part) => secretFolders.has(part)) ||
    isPrivateInHome(path, places)
  );
};
