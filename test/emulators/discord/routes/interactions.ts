import { ApiError, invalidForm, unknownMessage } from '../api-error.js';
import { byToken, type Interaction, openInteraction } from '../interactions.js';
import { messageJson } from '../json.js';
import type { World } from '../world.js';
import { changeMessage, postMessage } from './messages.js';
import { noContent, ok, type Route, type RouteCall } from './route.js';

const MESSAGE = 4;
const DEFERRED_MESSAGE = 5;
const DEFERRED_UPDATE = 6;
const UPDATE = 7;
const EPHEMERAL = 64;

const fieldsOf = (value: unknown): Record<string, unknown> =>
  // Anything else has none of the fields that are read.
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const post = (world: World, interaction: Interaction, call: Pick<RouteCall, 'body' | 'files'>) => {
  const flags = Number(call.body['flags'] ?? 0) | (interaction.isEphemeral ? EPHEMERAL : 0);
  return postMessage(world, world.namedChannel(interaction.channelId), {
    ...call,
    body: { ...call.body, flags },
  });
};

function answer(world: World, interaction: Interaction, { body, files }: RouteCall): void {
  if (interaction.answered !== undefined)
    throw new ApiError(400, 40_060, 'Interaction has already been acknowledged.');
  const type = Number(body['type']);
  const data = fieldsOf(body['data']);
  switch (type) {
    case MESSAGE:
      interaction.originalId = post(world, interaction, { body: data, files }).id;
      break;
    case DEFERRED_MESSAGE:
      interaction.isEphemeral = (Number(data['flags'] ?? 0) & EPHEMERAL) !== 0;
      break;
    case DEFERRED_UPDATE:
    case UPDATE: {
      const message = world.messages.get(interaction.messageId ?? '');
      if (message === undefined)
        throw invalidForm('type', 'BASE_TYPE_CHOICES', 'Value must be one of {4, 5}.');
      interaction.originalId = message.id;
      if (type === UPDATE) changeMessage(world, message, { body: data, files });
      break;
    }
    default:
      throw invalidForm('type', 'BASE_TYPE_CHOICES', 'Value must be one of {4, 5, 6, 7}.');
  }
  interaction.answered = type;
  world.watchers.touch(`interaction:${interaction.id}`);
}

export const interactionRoutes: readonly Route[] = [
  {
    verb: 'POST',
    pattern: /^\/interactions\/(\d+)\/([^/]+)\/callback$/u,
    run: (call) => {
      const [id = '', token = ''] = call.path;
      answer(call.world, openInteraction(call.world, id, token), call);
      return noContent;
    },
  },
  {
    verb: 'PATCH',
    pattern: /^\/webhooks\/(\d+)\/([^/]+)\/messages\/@original$/u,
    run: ({ world, path: [, token = ''], ...call }) => {
      const interaction = byToken(world, token);
      if (interaction.answered === undefined) throw new ApiError(404, 10_015, 'Unknown Webhook');
      const original = world.messages.get(interaction.originalId ?? '');
      if (original === undefined) {
        // The first edit fills the message that "is thinking…".
        const message = post(world, interaction, call);
        interaction.originalId = message.id;
        return ok(messageJson(world, message));
      }
      if (original.deleted) throw unknownMessage();
      return ok(messageJson(world, changeMessage(world, original, call)));
    },
  },
  {
    verb: 'POST',
    pattern: /^\/webhooks\/(\d+)\/([^/]+)$/u,
    run: ({ world, path: [, token = ''], ...call }) => {
      const interaction = byToken(world, token);
      if (interaction.answered === undefined) throw new ApiError(404, 10_015, 'Unknown Webhook');
      return ok(messageJson(world, post(world, interaction, call)));
    },
  },
  {
    verb: 'PUT',
    pattern: /^\/applications\/(\d+)\/commands$/u,
    run: ({ world, body }) => {
      const commands = Array.isArray(body['list']) ? body['list'] : [];
      if (commands.length > world.maxCommands)
        throw new ApiError(400, 30_032, 'Maximum number of application commands reached (100).');
      for (const [index, command] of commands.entries()) {
        const { name, description } = fieldsOf(command);
        if (!/^[-_\p{Ll}\p{Lo}\p{N}]{1,32}$/u.test(String(name)))
          throw invalidForm(`${index}.name`, 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid');
        const length = [...String(description ?? '')].length;
        if (length < 1 || length > 100)
          throw invalidForm(
            `${index}.description`,
            'BASE_TYPE_BAD_LENGTH',
            'Must be between 1 and 100 in length.',
          );
      }
      world.commands = commands;
      world.commandDeployments += 1;
      return ok(commands);
    },
  },
];
