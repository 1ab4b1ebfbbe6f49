/** What the agent keeps beyond a conversation: its own notes, and what it knows of its owner. */

/** `notes`: the agent's own; `user`: about the owner. */
export type MemoryTopic = 'notes' | 'user';

/** Characters that all entries of a topic may have together: every call of a session carries them. */
export const memoryLimits: Readonly<Record<MemoryTopic, number>> = { notes: 2_200, user: 1_375 };

/** Between two entries, as in the original: a paragraph sign on a line of its own. */
export const memorySeparator = '\n§\n';

export type MemoryChange =
  | { readonly kind: 'add'; readonly text: string }
  /** `old`: words that one entry alone has. */
  | { readonly kind: 'replace'; readonly old: string; readonly text: string }
  | { readonly kind: 'remove'; readonly old: string };

export interface MemoryStore {
  /** In the order they were added. */
  entries(topic: MemoryTopic): Promise<readonly string[]>;
  /** The entries as they are then. Rejects with a ToolError that says why nothing was changed. */
  change(topic: MemoryTopic, change: MemoryChange): Promise<readonly string[]>;
}

export const memoryLength = (entries: readonly string[]): number => [...entries.join(memorySeparator)].length;

/** The entries after the change, or why it cannot be made. Pure. */
export const applyMemoryChange = (
  entries: readonly string[],
  change: MemoryChange,
  limit: number,
): { readonly entries: readonly string[] } | { readonly problem: string } => {
  const changed = changeEntries(entries, change);
  if ('problem' in changed) return changed;
  const length = memoryLength(changed.entries);
  if (change.kind === 'remove' || length <= limit) return changed;
  return {
    problem: `That would be ${length} characters of ${limit}. Remove or shorten what matters least first, then try again.`,
  };
};

const changeEntries = (
  entries: readonly string[],
  change: MemoryChange,
): { readonly entries: readonly string[] } | { readonly problem: string } => {
  if (change.kind === 'add')
    return entries.includes(change.text)
      ? { problem: 'That is kept already.' }
      : { entries: [...entries, change.text] };
  const found = entries.filter((entry) => entry.includes(change.old));
  if (change.old === '' || found.length === 0)
    return { problem: 'No entry has these words. Give words of the entry as they are kept.' };
  if (found.length > 1)
    return { problem: `${found.length} entries have these words. Give words that one alone has.` };
  const rest = change.kind === 'remove' ? [] : [change.text];
  return { entries: entries.flatMap((entry) => (entry === found[0] ? rest : [entry])) };
};
