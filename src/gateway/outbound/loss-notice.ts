/** A person who reads it is to know which part it was; more of it would be the answer itself. */
const MAX_SHOWN = 200;

/** What a person is told instead of a part of an answer. `shown` is what the part says, `error` one sentence. */
export const lossNotice = (shown: string, state: string, error: string): string => {
  const what = state === 'failed' ? 'could not be delivered' : 'may not have arrived';
  const told = `⚠️ A part of my answer ${what}: ${error}`;
  const line = shown.replace(/\s+/gu, ' ').trim();
  if (line === '') return told;
  // Not in the middle of a character.
  const cut = line.slice(0, MAX_SHOWN).replace(/[\uD800-\uDBFF]$/u, '');
  const beginning = line.length > MAX_SHOWN ? `${cut}…` : line;
  // A quotation, so that nothing in it is taken for a file to send.
  return `${told}\n\n> ${beginning}`;
};
