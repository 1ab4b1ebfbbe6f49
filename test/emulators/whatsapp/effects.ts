/** What a message does to another: edits, deletions, reactions. */
import type { StoredMessage } from './stored.js';
import type { World } from './world.js';

export function applyEffect(world: World, { kind, targetId, text, emoji, from }: StoredMessage): void {
  const target = world.messages.get(targetId ?? '');
  if (target === undefined) return;
  if (kind === 'edit') {
    target.text = text;
    target.edits += 1;
  } else if (kind === 'delete') target.deleted = true;
  else if (kind === 'reaction') {
    if (emoji) target.reactions.set(from, emoji);
    else target.reactions.delete(from);
  }
}
