import { isIP } from 'node:net';
import * as z from 'zod';

/** Long enough that guessing at the rate that the login allows is hopeless. */
const MIN_TOKEN_CHARACTERS = 8;

const placeholders = new Set([
  'undefined',
  'changeme',
  'change-me',
  'your-token',
  'yourtoken',
  'password',
  'placeholder',
]);

const token = z
  .string()
  .trim()
  .refine(
    (text) => text === '' || (text.length >= MIN_TOKEN_CHARACTERS && !placeholders.has(text.toLowerCase())),
    {
      message: `expected a secret of at least ${MIN_TOKEN_CHARACTERS} characters that is no placeholder; \`openssl rand -hex 24\` makes a good one`,
    },
  )
  .refine((text) => /^[\x21-\x7e]*$/u.test(text), {
    message: 'expected letters, digits and signs without spaces, as it travels in an HTTP header',
  })
  .transform((text) => (text === '' ? undefined : text));

const hostShape = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/iu;

const allowedHost = z
  .string()
  .refine((text) => hostShape.test(text), {
    message: 'expected a host name as browsers show it, like chat.example.org or chat.example.org:8443',
  })
  .transform((text) => text.toLowerCase());

/** `host` without brackets, e.g. `::1`. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

export const webSection = z
  .object({
    /** The page is on unless this is false. */
    enabled: z.boolean().optional(),
    /** The address to listen on; other hosts reach anything but a loopback address. */
    host: z
      .string()
      .trim()
      .min(1, { message: 'expected an address to listen on, like 127.0.0.1 or 0.0.0.0' })
      .transform((text) => text.replace(/^\[(.*)\]$/u, '$1').toLowerCase())
      .default('127.0.0.1'),
    /** 0 takes any free port. */
    port: z.number().int().min(0).max(65_535).default(8642),
    /** Asked for by everything but the page itself and `/health`. */
    token: token.optional(),
    max_body_bytes: z.number().int().min(1024).default(26_214_400),
    /** Names by which browsers reach the page through a proxy, besides the address itself. */
    allowed_hosts: z.array(allowedHost).default([]),
    home_channel: z
      .string()
      .regex(/^[\w.-]{1,128}$/u, { message: 'expected the id of a chat on the page, like main' })
      .optional(),
    busy: z.enum(['steer', 'queue', 'interrupt']).optional(),
    streaming: z.boolean().optional(),
    toolsets: z.array(z.string().min(1)).optional(),
  })
  .superRefine(({ host, token: secret, allowed_hosts }, context) => {
    if (secret !== undefined) return;
    const write = 'expected a secret: write `token: "…"` with the output of `openssl rand -hex 24`';
    if (!isLoopback(host)) {
      context.addIssue({
        code: 'custom',
        path: ['token'],
        message: `${write}, as other hosts can reach ${host}; or listen on 127.0.0.1`,
      });
    } else if (allowed_hosts.length > 0) {
      context.addIssue({
        code: 'custom',
        path: ['token'],
        message: `${write}, as allowed_hosts opens the page to other hosts; or leave allowed_hosts empty`,
      });
    }
  });

export type WebSection = z.output<typeof webSection>;
