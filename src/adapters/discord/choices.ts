/**
 * Pressed buttons and chosen options. Discord waits three seconds for a sign, so a press is acknowledged the moment it arrives, before
 * anything is decided; what the presser is told follows, seen by them alone.
 */
import type { ChoicesFacet } from '../../core/platform.js';
import { fieldsOf, nameOf } from '../kit/fields.js';
import type { DiscordClient } from './client.js';
import { MAX_CHOICES } from './components.js';
import type { Call } from './decode-call.js';
import { toPlatformError } from './errors.js';

const DEFERRED_UPDATE = 6;
const EPHEMERAL = 1 << 6;

/** Never rejects: a press that Discord no longer knows counts all the same. */
export const acknowledgePress = async (
  client: DiscordClient,
  { id, token }: Call,
  signal: AbortSignal,
): Promise<void> => {
  const path = `/interactions/${id}/${token}/callback` as const;
  await client
    .call({ verb: 'POST', path, body: { type: DEFERRED_UPDATE }, isOpen: true }, { signal })
    .catch(() => undefined);
};

export const createChoices = (client: DiscordClient): ChoicesFacet => ({
  maxChoices: MAX_CHOICES,
  async acknowledge(press, text, { signal }) {
    const fields = fieldsOf(press);
    const token = nameOf(fields?.['token']);
    const application = nameOf(fields?.['application']);
    if (text === undefined || token === undefined || application === undefined) return;
    const body = { content: text, flags: EPHEMERAL, allowed_mentions: { parse: [] } };
    const result = await client.call(
      { verb: 'POST', path: `/webhooks/${application}/${token}`, body, isOpen: true },
      { signal },
    );
    if (!result.ok) throw toPlatformError(result.failure);
  },
});
