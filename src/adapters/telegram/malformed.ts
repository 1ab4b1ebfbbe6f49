/** What is wrong with an update that no Bot API server should send. Pure. */
import { fieldsOf, integerOf, textOf } from '../kit/fields.js';
import { decodedUpdates } from './decode.js';

/** A few words; undefined for an update of the right shape, also for one of a kind that we do not read. */
export const complaintAbout = (update: unknown): string | undefined => {
  const fields = fieldsOf(update);
  if (fields === undefined) return 'it is no object';
  if (integerOf(fields['update_id']) === undefined) return 'it has no update_id';
  for (const kind of decodedUpdates) {
    if (fields[kind] === undefined) continue;
    const content = fieldsOf(fields[kind]);
    if (content === undefined) return `its ${kind} is no object`;
    if (kind === 'callback_query')
      return textOf(content['id']) === undefined ? `its ${kind} has no id` : undefined;
    if (integerOf(content['message_id']) === undefined) return `its ${kind} has no message_id`;
    if (integerOf(fieldsOf(content['chat'])?.['id']) === undefined) return `its ${kind} has no chat`;
    return undefined;
  }
  return undefined;
};
