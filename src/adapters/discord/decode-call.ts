/** From INTERACTION_CREATE to our event: a slash command is the message that a person would have typed. Pure. */
import type { InboundEvent } from '../../core/inbound.js';
import { type Fields, fieldsOf, integerOf, listOf, nameOf } from '../kit/fields.js';
import { type DecodeContext, decodeMessage } from './decode.js';
import { callIdOf, isSnowflake } from './ids.js';

const COMMAND = 2;

export interface Call {
  readonly id: string;
  /** Good for a quarter of an hour. A secret. */
  readonly token: string;
  readonly application: string;
  readonly kind: 'command';
}

export const readCall = (data: unknown): Call | undefined => {
  const fields = fieldsOf(data);
  const { id, token, application_id: application } = fields ?? {};
  if (!isSnowflake(id) || typeof token !== 'string' || !isSnowflake(application)) return undefined;
  return integerOf(fields?.['type']) === COMMAND ? { id, token, application, kind: 'command' } : undefined;
};

const writtenOut = (data: Fields | undefined): string | undefined => {
  const name = nameOf(data?.['name']);
  if (name === undefined) return undefined;
  const values = listOf(data?.['options']).map((option) => String(fieldsOf(option)?.['value'] ?? ''));
  return [`/${name}`, ...values].join(' ').trim();
};

export const decodeCommand = (data: unknown, context: DecodeContext): InboundEvent | undefined => {
  const call = fieldsOf(data);
  const text = writtenOut(fieldsOf(call?.['data']));
  if (call === undefined || text === undefined || !isSnowflake(call['id'])) return undefined;
  const member = fieldsOf(call['member']);
  const event = decodeMessage(
    {
      id: call['id'],
      channel_id: call['channel_id'],
      ...(call['guild_id'] !== undefined && { guild_id: call['guild_id'], member }),
      author: member?.['user'] ?? call['user'],
      content: text,
      type: 0,
    },
    context,
  );
  if (event === undefined) return undefined;
  // The command as it stands: a tag's own words in it would be taken for ours.
  return { ...event, isCall: true, message: callIdOf(call['id']), parts: [{ type: 'text', text }] };
};
