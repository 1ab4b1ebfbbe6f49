/** From what is to run to the program and arguments that run it, for each place where commands can run. Pure. */
import type { CommandBackend } from '../../core/commands.js';

export interface CommandLineRequest {
  /** A shell's command line; or a program and its arguments. */
  readonly run: string | readonly string[];
  /** Absolute, inside the workspace or below `scratch`. */
  readonly cwd: string;
  readonly workspace: string;
  /** A folder besides the workspace that it may use. */
  readonly scratch?: string;
  readonly isTerminal: boolean;
  /** Written behind the output, then the folder where the shell ended. */
  readonly endMark: string;
  /** Names the run to whoever ends it. */
  readonly environment: Readonly<Record<string, string>>;
}

export const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Both outputs are one, in their order. The folder is told where the shell ends, however it does. */
const shellScript = (line: string, endMark: string): readonly string[] => [
  'bash',
  '-c',
  `exec 2>&1; trap 'code=$?; printf "\\n%s%s\\n" ${quoteWord(endMark)} "$PWD"; exit $code' EXIT; eval "$1"`,
  'bash',
  line,
];

const innerOf = ({ run, endMark }: CommandLineRequest): readonly string[] =>
  typeof run === 'string' ? shellScript(run, endMark) : ['sh', '-c', 'exec "$@" 2>&1', 'sh', ...run];

const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc', '/opt'];

const bubblewrap = (request: CommandLineRequest, hasNetwork: boolean): readonly string[] => {
  const { cwd, workspace, scratch, environment } = request;
  return [
    'bwrap',
    '--unshare-all',
    ...(hasNetwork ? ['--share-net'] : []),
    '--die-with-parent',
    '--new-session',
    ...systemFolders.flatMap((folder) => ['--ro-bind-try', folder, folder]),
    ...(hasNetwork ? ['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'] : []),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    '--bind',
    workspace,
    workspace,
    ...(scratch === undefined ? [] : ['--bind', scratch, scratch]),
    '--clearenv',
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    '--chdir',
    cwd,
    '--',
    ...innerOf(request),
  ];
};

type Docker = Extract<CommandBackend, { readonly kind: 'docker' }>;

const docker = (request: CommandLineRequest, { image, hasNetwork }: Docker): readonly string[] => {
  const { cwd, workspace, scratch, isTerminal, environment } = request;
  return [
    'docker',
    'run',
    '--rm',
    '--init',
    isTerminal ? '-it' : '-i',
    ...(hasNetwork ? [] : ['--network', 'none']),
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    '--pids-limit',
    '512',
    '--volume',
    `${workspace}:${workspace}`,
    ...(scratch === undefined ? [] : ['--volume', `${scratch}:${scratch}`]),
    '--workdir',
    cwd,
    ...Object.entries(environment)
      .filter(([name]) => name !== 'PATH' && name !== 'HOME')
      .flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    image,
    ...innerOf(request),
  ];
};

type Ssh = Extract<CommandBackend, { readonly kind: 'ssh' }>;

/** The workspace's folders are those below the far folder. */
const ssh = (request: CommandLineRequest, { host, folder, port, identityFile }: Ssh): readonly string[] => {
  const { cwd, workspace, isTerminal } = request;
  const far = cwd.startsWith(`${workspace}/`) ? `${folder}${cwd.slice(workspace.length)}` : folder;
  return [
    'ssh',
    isTerminal ? '-tt' : '-T',
    '-o',
    'BatchMode=yes',
    '-o',
    'ConnectTimeout=15',
    '-o',
    'ServerAliveInterval=15',
    ...(port === undefined ? [] : ['-p', String(port)]),
    ...(identityFile === undefined ? [] : ['-i', identityFile]),
    '--',
    host,
    `cd ${quoteWord(far)} && exec ${innerOf(request).map(quoteWord).join(' ')}`,
  ];
};

const inPlace = (request: CommandLineRequest, backend: CommandBackend): readonly string[] => {
  switch (backend.kind) {
    case 'local':
      return innerOf(request);
    case 'bubblewrap':
      return bubblewrap(request, backend.hasNetwork);
    case 'docker':
      return docker(request, backend);
    case 'ssh':
      return ssh(request, backend);
  }
};

/** Program and arguments. With a terminal, the usual program that makes one stands before them. */
export const toCommandLine = (request: CommandLineRequest, backend: CommandBackend): readonly string[] => {
  const argv = inPlace(request, backend);
  if (!request.isTerminal) return argv;
  return [
    'script',
    '--quiet',
    '--flush',
    '--return',
    '--command',
    argv.map(quoteWord).join(' '),
    '/dev/null',
  ];
};
