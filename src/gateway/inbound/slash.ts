export interface SlashCommand {
  readonly name: string;
  readonly args: string;
}

const pattern = /^\/([a-z][a-z0-9_-]{0,31})(?:\s+([\s\S]*))?$/iu;

/** A path or a sentence with slashes is text: a command is one word right at the start. */
export const parseSlash = (text: string): SlashCommand | undefined => {
  const match = pattern.exec(text.trim());
  const name = match?.[1];
  return name === undefined ? undefined : { name: name.toLowerCase(), args: match?.[2]?.trim() ?? '' };
};
