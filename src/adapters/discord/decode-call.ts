/** From INTERACTION_CREATE to our event: a slash command is the message that a person would have typed. Pure. */
import type { InboundChoice, InboundEvent } from '../../core/inbound.js';
import { type Fields, fieldsOf, integerOf, listOf, nameOf } from '../kit/fields.js';
import { type DecodeContext, decodeMessage } from './decode.js';
import { callIdOf, discordId, isSnowflake, messageIdOf } from './ids.js';

const COMMAND = 2;
const COMPONENT = 3;
/** A kind of component. */
const MENU = 3;

export interface Call {
  readonly id: string;
  /** Good for a quarter of an hour. A secret. */
  readonly token: string;
  readonly application: string;
  readonly kind: 'command' | 'press';
}

const kinds: ReadonlyMap<number | undefined, Call['kind']> = new Map([
  [COMMAND, 'command'],
  [COMPONENT, 'press'],
]);

export const readCall = (data: unknown): Call | undefined => {
  const fields = fieldsOf(data);
  const { id, token, application_id: application } = fields ?? {};
  if (!isSnowflake(id) || typeof token !== 'string' || !isSnowflake(application)) return undefined;
  const kind = kinds.get(integerOf(fields?.['type']));
  return kind === undefined ? undefined : { id, token, application, kind };
};

const writtenOut = (data: Fields | undefined): string | undefined => {
  const name = nameOf(data?.['name']);
  if (name === undefined) return undefined;
  const values = listOf(data?.['options']).map((option) => String(fieldsOf(option)?.['value'] ?? ''));
  return [`/${name}`, ...values].join(' ').trim();
};

/** The call's place and person, as a message would have given them. */
const toMessageFields = (call: Fields, content: string): Fields => {
  const member = fieldsOf(call['member']);
  return {
    id: call['id'],
    channel_id: call['channel_id'],
    ...(call['guild_id'] !== undefined && { guild_id: call['guild_id'], member }),
    author: member?.['user'] ?? call['user'],
    content,
    type: 0,
  };
};

/** What was chosen: a menu says it by the values, a button by its own id. */
const chosenIn = (data: Fields | undefined): string | undefined =>
  data?.['component_type'] === MENU ? nameOf(listOf(data['values'])[0]) : nameOf(data?.['custom_id']);

/** A pressed button, or an option of a menu; what was pressed may have been sent long ago. */
export const decodePress = (data: unknown, context: DecodeContext): InboundChoice | undefined => {
  const fields = fieldsOf(data);
  const call = readCall(data);
  const token = chosenIn(fieldsOf(fields?.['data']));
  const message = fieldsOf(fields?.['message'])?.['id'];
  if (fields === undefined || call?.kind !== 'press' || token === undefined || !isSnowflake(message))
    return undefined;
  const event = decodeMessage(toMessageFields(fields, 'pressed'), context);
  if (event === undefined) return undefined;
  const { correlation, origin, sender, receivedAt } = event;
  return {
    type: 'action',
    action: 'choose',
    dedupeKey: `${discordId}:${context.account}:press:${call.id}`,
    correlation,
    origin,
    sender,
    receivedAt,
    token,
    message: messageIdOf(message),
    press: { token: call.token, application: call.application },
  };
};

export const decodeCommand = (data: unknown, context: DecodeContext): InboundEvent | undefined => {
  const call = fieldsOf(data);
  const text = writtenOut(fieldsOf(call?.['data']));
  if (call === undefined || text === undefined || !isSnowflake(call['id'])) return undefined;
  const event = decodeMessage(toMessageFields(call, text), context);
  if (event === undefined) return undefined;
  // The command as it stands: a tag's own words in it would be taken for ours.
  return { ...event, isCall: true, message: callIdOf(call['id']), parts: [{ type: 'text', text }] };
};
