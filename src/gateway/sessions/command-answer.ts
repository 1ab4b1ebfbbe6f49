import type { InboundEvent } from '../../core/inbound.js';
import type { PlatformAdapter } from '../../core/platform.js';
import { type Route, toRoute } from '../../core/route.js';
import type { Offer } from '../commands/command.js';
import type { Questions } from '../questions/questions.js';
import type { Speaker } from '../speaker.js';

/** A list is chosen from soon or asked for again. */
const OFFER_TIMEOUT_MS = 24 * 3_600_000;

interface CommandAnswerDeps {
  readonly speaker: Speaker;
  readonly questions: Pick<Questions, 'offer'>;
  adapterFor(route: Route): PlatformAdapter | undefined;
}

/** Says what a command answers. The answer to a pressed one takes the place of the message with the buttons. */
export const createCommandAnswer =
  ({ speaker, questions, adapterFor }: CommandAnswerDeps) =>
  (event: InboundEvent, name: string, answer: string | Offer): Promise<void> => {
    const route = toRoute(event.origin);
    const replyTo = event.type === 'message' && event.isCall === true ? event.message : undefined;
    const saying = {
      ...(replyTo !== undefined && { replyTo }),
      route,
      key: `command/${name}/${event.dedupeKey}`,
      cause: { kind: 'command', name },
      correlation: event.correlation,
    } as const;
    if (typeof answer !== 'string') {
      const options = answer.options.map(({ label, line }) => ({ label, value: line }));
      const user = event.sender.user;
      return questions.offer({ ...saying, text: answer.text, options, user, timeoutMs: OFFER_TIMEOUT_MS });
    }
    const isPress = event.type === 'action' && event.action === 'choose';
    const canReplace = isPress && adapterFor(route)?.editing !== undefined;
    return speaker.say({
      ...saying,
      text: answer,
      ...(canReplace && { replaces: { message: event.message } }),
    });
  };
