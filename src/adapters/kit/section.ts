/** What the settings sections of chat platforms have in common. Complaints begin with `expected …`. */
import * as z from 'zod';
import { sectionDefaults } from '../../core/platform-definition.js';

/** A number that is not exact has already lost the id that was meant. */
export const idText = z
  .union([z.string(), z.number()])
  .refine((value) => typeof value === 'string' || Number.isSafeInteger(value), {
    message:
      'expected an id in quotes, as a number this large loses digits; quote it, like "1234567890123456789"',
  })
  .transform((value) => String(value).trim());

/** An address of HTTP without a slash at its end. */
export const apiRoot = (example: string) =>
  z
    .url({
      protocol: /^https?$/u,
      message: `expected a URL that begins with http:// or https://; for example ${example}`,
    })
    .transform((url) => url.replace(/\/+$/u, ''));

/** `signs`: the reactions that stand for work, success and failure; `groups`: where a mention may be required. */
export const commonFields = ({ groups, signs }: { readonly groups: string; readonly signs: string }) => ({
  enabled: z.boolean().optional().meta({ description: 'Default: on if a token is set.' }),
  require_mention: z
    .boolean()
    .default(sectionDefaults.requireMention)
    .meta({ description: `In ${groups}, answer only when mentioned, replied to or given a command.` }),
  busy: z
    .enum(['steer', 'queue', 'interrupt'])
    .optional()
    .meta({
      description: `What a message does that arrives during an answer. Default: ${sectionDefaults.busy}.`,
    }),
  toolsets: z
    .array(z.string().min(1))
    .optional()
    .meta({ description: 'Toolsets of conversations here. Default: the list for all platforms.' }),
  streaming: z
    .boolean()
    .default(sectionDefaults.streaming)
    .meta({ description: 'Show an answer while it is written.' }),
  tool_progress: z.enum(['off', 'new', 'all']).default(sectionDefaults.toolProgress).meta({
    description:
      'What is told of tools while they run, in one message. new: a tool when it is another than before; all: every call.',
  }),
  reactions: z
    .boolean()
    .default(sectionDefaults.reactions)
    .meta({ description: `Acknowledge messages by reactions: ${signs}.` }),
});

/** For `refine`: a platform that is switched on needs its token. */
export const hasTokenIfOn = (section: {
  readonly enabled?: boolean | undefined;
  readonly token?: string | undefined;
}): boolean => section.enabled !== true || section.token !== undefined;
