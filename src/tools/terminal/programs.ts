/** Which programs a command line runs, as far as that can be told for sure; for grants and warnings. Pure. */

/** They run what their arguments or their input say: a grant for one would be a grant for everything. */
const runsOthers =
  /^(?:sudo|doas|su|env|xargs|nice|ionice|timeout|nohup|setsid|time|stdbuf|exec|command|builtin|eval|source|\.|trap|watch|strace|unshare|chroot|busybox|toybox|script|flock|parallel|ssh|docker|podman|kubectl|(?:ba|da|z|k|a|fi|c|tc)?sh|python[\d.]*|perl|ruby|node|deno|bun|php|lua|awk|gawk|mawk|sed|find|fd|make|npx|npm|pnpm|yarn|bunx|uvx?|pipx?|cargo|go|systemd-run|at|batch|crontab|tee|dd|cp|mv|ln|install|rsync|tar|git|vim?|nano|ed|ex|emacs|less|more|man|gdb|expect|osascript|open|xdg-open|tmux|screen)$/u;

/**
 * Undefined where nothing is sure: substitutions, redirections into files, quoted line ends, programs that run others
 * without saying which.
 */
export const programsOf = (line: string): readonly string[] | undefined => {
  const plain = line.trim().replaceAll(/\d?>&\d|\d?>\s*\/dev\/null\b/gu, ' ');
  if (plain === '' || /[`$(){}<>\\\n\r*?[\]~#!]/u.test(plain)) return undefined;
  const commands = withoutQuotes(plain)?.split(/\|\||&&|[|;&]/u);
  if (commands === undefined) return undefined;
  const programs = commands
    .filter((one) => one.trim() !== '')
    .map((one) => one.trim().split(/\s+/u)[0] ?? '');
  if (programs.length === 0) return undefined;
  if (programs.some((name) => !/^[\w][\w.+-]*$/u.test(name) || name.includes('='))) return undefined;
  return programs.some((name) => runsOthers.test(name)) ? undefined : [...new Set(programs)].sort();
};

/** Quoted words become harmless ones; undefined: a quotation has no end, or a program's name is quoted. */
const withoutQuotes = (line: string): string | undefined => {
  const plain = line.replaceAll(/'[^']*'|"[^"]*"/gu, ',');
  return /['"]/u.test(plain) ? undefined : plain;
};

const risks: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[\s;&|(])(?:sudo|doas)\s/u, 'It runs as the superuser.'],
  [/\b(?:curl|wget)\b[^|]*\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b/u, 'It runs what it downloads.'],
  [
    /(?:^|[\s;&|(])(?:rm|rmdir|shred|unlink|truncate)\s|\s-delete\b|\bgit\s+(?:clean|reset\s+--hard)/u,
    'It deletes files.',
  ],
  [/\bgit\s+push\b.*(?:--force\b|\s-f\b)/u, 'It overwrites what others may have.'],
  [/\bch(?:mod|own)\s+(?:-\w*R|--recursive)/u, 'It changes the rights of many files.'],
  [/(?:^|[\s;&|(])(?:kill|pkill|killall|systemctl|service)\s/u, 'It ends or changes other programs.'],
  [/(?:^|[\s;&|(])(?:curl|wget|scp|rsync|ssh|nc|ftp)\s/u, 'It speaks to other hosts.'],
];

/** What a person should know before they allow it; the first that fits. */
export const riskOfLine = (line: string): string | undefined => risks.find(([sign]) => sign.test(line))?.[1];
