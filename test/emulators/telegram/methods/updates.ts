/** The bot itself: who it is, its commands, and how it takes its updates. */
import { badRequest, conflict } from '../api-error.js';
import { userJson } from '../message-json.js';
import {
  booleanParameter,
  integerParameter,
  listParameter,
  objectParameter,
  type Parameters,
  textParameter,
} from '../parameters.js';
import { checkLink } from '../text/link.js';
import type { WebhookSpec } from '../webhook.js';
import type { MethodCall } from './method.js';

export function getMe({ world }: MethodCall): unknown {
  return {
    ...userJson(world.bot),
    can_join_groups: true,
    can_read_all_group_messages: !world.privacyMode,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: world.hasTopicsEnabled,
  };
}

export function getUpdates({ world, params, signal }: MethodCall): unknown {
  if (world.webhook.spec !== undefined) {
    throw conflict(
      "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
  }
  const allowed = listParameter(params, 'allowed_updates');
  if (allowed !== undefined) world.updates.setAllowed(allowed.map(String));
  const limit = integerParameter(params, 'limit') ?? 100;
  return world.updates.poll(
    {
      offset: integerParameter(params, 'offset') ?? 0,
      limit: limit < 1 || limit > 100 ? 100 : limit,
      timeoutSeconds: Math.min(Math.max(integerParameter(params, 'timeout') ?? 0, 0), 50),
    },
    signal,
  );
}

/** As a server of one's own takes them too: plain HTTP, on this host. */
const LOOPBACK = /^http:\/\/127\.0\.0\.1:\d+\//;

export function setWebhook({ world, params }: MethodCall): unknown {
  const url = textParameter(params, 'url') ?? '';
  const secret = textParameter(params, 'secret_token') ?? '';
  if (url !== '' && !LOOPBACK.test(url)) {
    const checked = checkLink(url);
    if (!checked.ok || !checked.url.startsWith('https://')) {
      throw badRequest('bad webhook: An HTTPS URL must be provided for webhook');
    }
  }
  if (!/^[\w-]{0,256}$/.test(secret)) throw badRequest('secret token contains unallowed characters');
  const allowed = listParameter(params, 'allowed_updates');
  if (allowed !== undefined) world.updates.setAllowed(allowed.map(String));
  const maxConnections = integerParameter(params, 'max_connections') ?? 40;
  const spec = url === '' ? undefined : { url, secret, maxConnections };
  return changeWebhook(world, spec, booleanParameter(params, 'drop_pending_updates'));
}

export function deleteWebhook({ world, params }: MethodCall): unknown {
  return changeWebhook(world, undefined, booleanParameter(params, 'drop_pending_updates'));
}

function changeWebhook(
  world: MethodCall['world'],
  spec: WebhookSpec | undefined,
  dropPending: boolean,
): true {
  if (spec !== undefined) world.updates.terminate(conflict('terminated by setWebhook request'));
  if (dropPending) world.updates.drop();
  world.webhook.set(spec);
  return true;
}

export function getWebhookInfo({ world }: MethodCall): unknown {
  const allowed = world.updates.allowed;
  const { spec, lastError } = world.webhook;
  return {
    url: spec?.url ?? '',
    has_custom_certificate: false,
    pending_update_count: world.updates.pendingCount,
    ...(spec === undefined ? {} : { max_connections: spec.maxConnections }),
    ...(lastError === undefined
      ? {}
      : { last_error_date: lastError.at, last_error_message: lastError.message }),
    ...(allowed === null ? {} : { allowed_updates: allowed }),
  };
}

export function setMyCommands({ world, params }: MethodCall): unknown {
  const commands = listParameter(params, 'commands');
  if (commands === undefined) throw badRequest("can't parse commands JSON object");
  if (commands.length > 100) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  const stored = commands.map((item) => {
    const fields = objectParameter({ item }, 'item');
    if (fields === undefined) throw badRequest("can't parse BotCommand: Expected an Object");
    const command = (textParameter(fields, 'command') ?? '').replace(/^\//, '');
    const description = textParameter(fields, 'description') ?? '';
    if (!/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest('BOT_COMMAND_INVALID');
    if (description.trim() === '' || description.length > 256)
      throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
    return { command, description };
  });
  world.commands.set(commandScope(params), stored);
  return true;
}

export function getMyCommands({ world, params }: MethodCall): unknown {
  return world.commands.get(commandScope(params)) ?? [];
}

export function deleteMyCommands({ world, params }: MethodCall): unknown {
  world.commands.delete(commandScope(params));
  return true;
}

function commandScope(params: Parameters): string {
  const scope = objectParameter(params, 'scope') ?? { type: 'default' };
  return JSON.stringify([
    scope['type'],
    scope['chat_id'],
    scope['user_id'],
    textParameter(params, 'language_code') ?? '',
  ]);
}
