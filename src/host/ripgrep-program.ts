/** A file of its own, imported late: the package throws while it is loaded where its program is not installed. */
export { rgPath } from '@vscode/ripgrep';
