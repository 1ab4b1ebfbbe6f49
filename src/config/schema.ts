/**
 * config.yaml: every key, what may be written, and what holds where nothing is. Defaults are here and nowhere else.
 * A key whose feature is not built yet is checked and kept, so that one file serves across versions.
 */
import * as z from 'zod';
import { categories, permissionLevels } from '../core/permission.js';
import type { PlatformDefinition } from '../core/platform-definition.js';
import { count, httpUrl, ids } from './shapes.js';
import { terminal } from './terminal-section.js';
import { speechToText, textToSpeech } from './voice-sections.js';

const model = z
  .object({
    provider: z
      .string()
      .min(1)
      .optional()
      .meta({
        description:
          'openai, offline, or a name in providers. Default: openai if a key is set, else offline.',
        examples: ['openai'],
      }),
    default: z
      .string()
      .min(1)
      .optional()
      .meta({
        description: 'Name of the model as its provider spells it.',
        examples: ['gpt-4.1-mini'],
      }),
    base_url: httpUrl.optional().meta({ description: 'Environment: OPENAI_BASE_URL.' }),
    api_key: z.string().optional().meta({ description: 'Environment: OPENAI_API_KEY.' }),
    vision: z
      .union([z.literal('auto'), z.boolean()])
      .default('auto')
      .meta({
        description: 'Whether pictures are sent to the model; auto: as long as it does not refuse them.',
      }),
  })
  .meta({ description: 'Who answers.' });

const provider = z.object({
  type: z
    .enum(['openai', 'anthropic', 'bedrock', 'offline'])
    .meta({ description: 'The protocol it speaks.' }),
  base_url: httpUrl.optional(),
  api_key: z.string().optional(),
});

const fallback = z.object({ provider: z.string().min(1), model: z.string().min(1) });

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};

const owner = z.string().regex(/^[a-z][a-z0-9_-]*:.+$/u, {
  message: 'expected a platform and an id with a colon between; for example "telegram:12345"',
});

const pairing = z
  .object({
    code_ttl_minutes: count(1).default(60),
    max_pending: count(1)
      .default(3)
      .meta({ description: 'Most people of one platform who can wait for approval at once.' }),
    max_attempts: count(1).default(5).meta({ description: 'Wrong codes of one platform until a lockout.' }),
    lockout_minutes: count(1)
      .default(60)
      .meta({ description: 'How long then no code of that platform is accepted, not even a right one.' }),
  })
  .meta({ description: 'Codes that strangers are told and `hermes pairing approve` takes.' });

const agent = z
  .object({
    max_iterations: count(1).default(90).meta({ description: 'Most model calls of one turn.' }),
    inactivity_timeout_seconds: count(0).default(1800).meta({
      description:
        'A turn in which nothing happens for so long is ended, with word of what it did; 0: never.',
    }),
    context_tokens: count(1000).default(128_000).meta({ description: "The model's context window." }),
  })
  .meta({ description: 'Limits of a turn.' });

const sessions = z.object({
  group_per_user: z
    .boolean()
    .default(true)
    .meta({ description: 'In groups, one conversation for each person.' }),
  thread_per_user: z.boolean().default(false).meta({ description: 'The same inside threads.' }),
  retention_days: count(1)
    .default(365)
    .meta({ description: 'Conversations unused for longer are forgotten, and what was said longer ago.' }),
  retention_mb: count(1).default(2048).meta({
    description: 'Most that conversations take up, and the same for kept files; the longest unused go first.',
  }),
});

const customToolset = z.object({
  description: z.string().default(''),
  tools: z.array(z.string().min(1)).default([]),
  includes: z.array(z.string().min(1)).default([]).meta({ description: 'Toolsets whose tools it has too.' }),
});

const decision = z.enum(['auto', 'confirm', 'deny']);
const matrix = z.partialRecord(z.enum(permissionLevels), z.partialRecord(z.enum(categories), decision));
const change = z.object({ level: z.enum(permissionLevels).optional(), matrix: matrix.optional() });
const place = z.string().regex(/^[a-z][a-z0-9_-]*:.+$/u, {
  message: 'expected a platform and an id with a colon between; for example "telegram:-100123"',
});
const role = z.string().regex(/^(?:owner|guest|[a-z][a-z0-9_-]*:.+)$/u, {
  message: 'expected owner, guest, or a platform and the id of a role; for example "discord:123456"',
});

const permissions = z
  .object({
    level: z.enum(permissionLevels).default('auto').meta({
      description:
        'safe: everything asks. auto: reading and writing does not. full-access: nothing asks, apart from what is never done.',
    }),
    timeout_seconds: count(1).default(30).meta({ description: 'Time to answer; then the call is denied.' }),
    matrix: matrix.optional().meta({
      description: 'Cells that differ, by level and category: auto, confirm or deny.',
      examples: [{ auto: { write: 'confirm', finance: 'deny' } }],
    }),
    platforms: z.record(z.string(), change).default({}).meta({ description: 'By platform.' }),
    roles: z.record(role, change).default({}).meta({
      description:
        'By person: owner, guest (everybody else), or a role of a server as discord:id. A later one wins.',
    }),
    chats: z.record(place, change).default({}).meta({ description: 'By chat, as platform:id.' }),
    jobs: z.record(z.string(), change).default({}).meta({ description: 'By scheduled job: its id or name.' }),
  })
  .meta({
    description:
      'Which tool calls run at once, and which ask first. The narrower wins: platforms, roles, chats, jobs.',
  });

const cron = z.object({
  tick_seconds: count(1).default(60),
  inactivity_timeout_seconds: count(0)
    .default(600)
    .meta({ description: 'Environment: HERMES_CRON_TIMEOUT.' }),
  script_timeout_seconds: count(1)
    .default(120)
    .meta({ description: 'Environment: HERMES_CRON_SCRIPT_TIMEOUT.' }),
  max_parallel: count(1).default(4),
  catch_up_missed: z.boolean().default(true),
});

const log = z.object({ level: z.enum(['debug', 'info', 'warn', 'error']).default('info') });

const platformSections = (definitions: readonly PlatformDefinition[]) => {
  const all: readonly { readonly id: string; readonly section: z.ZodType }[] = definitions;
  return z.object(Object.fromEntries(all.map(({ id, section }) => [id, section.prefault({})])));
};

export const createSettingsSchema = (definitions: readonly PlatformDefinition[]) =>
  z.object({
    model: model.prefault({}),
    providers: z.record(z.string(), provider).default({}).meta({
      description: 'Further model services, by a name of your own that model.provider can take.',
    }),
    fallback_providers: z.array(fallback).default([]).meta({
      description: 'Who answers, in this order, when the first model does not.',
    }),
    timezone: z
      .string()
      .refine(isTimeZone, { message: 'expected the name of a time zone; for example Europe/Berlin' })
      .optional()
      .meta({
        description: "Default: the host's. Environment: HERMES_TIMEZONE.",
        examples: ['Europe/Berlin'],
      }),
    workspace: z
      .string()
      .min(1)
      .optional()
      .meta({
        description: 'The folder that file tools work in. Default: workspace below HERMES_HOME.',
        examples: ['~/.hermes/workspace'],
      }),
    owners: z.array(owner).default([]).meta({
      description: 'Who may do everything, as platform:id. Default: every listed allowed user.',
    }),
    allowed_users: ids.meta({
      description: 'Who may write on every platform; "*" is everyone. Environment: GATEWAY_ALLOWED_USERS.',
    }),
    unauthorized_dm: z.enum(['pair', 'ignore']).default('pair').meta({
      description: 'What a stranger hears in a private chat: a pairing code, or nothing.',
    }),
    pairing: pairing.prefault({}),
    agent: agent.prefault({}),
    terminal: terminal.prefault({}),
    sessions: sessions.prefault({}),
    platforms: platformSections(definitions).prefault({}),
    toolsets: z
      .array(z.string().min(1))
      .optional()
      .meta({
        description:
          'Toolsets of conversations on platforms without a list of their own; `hermes tools list` shows them. Default: all.',
        examples: ['file'],
      }),
    custom_toolsets: z.record(z.string(), customToolset).default({}).meta({
      description: 'Toolsets of your own, by name: made of tools and of other toolsets.',
    }),
    permissions: permissions.prefault({}),
    cron: cron.prefault({}),
    stt: speechToText.prefault({}),
    tts: textToSpeech.prefault({}),
    log: log.prefault({}),
  });

export type SettingsSchema = ReturnType<typeof createSettingsSchema>;
/** The file with every default filled in. */
export type SettingsFile = z.output<SettingsSchema>;
