/** Settings of commands: where they run. */
import * as z from 'zod';
import type { CommandSettings } from '../core/commands.js';
import { expandPath } from './home-paths.js';
import { count } from './shapes.js';

const network = (fallback: boolean) =>
  z.boolean().default(fallback).meta({ description: 'Whether commands reach the network.' });

export const terminal = z
  .object({
    backend: z.enum(['local', 'bubblewrap', 'docker', 'ssh']).default('local').meta({
      description:
        'Where commands run: on this host; on it but seeing only the system, read-only, and the workspace (needs bwrap); in a fresh container; on another host.',
    }),
    timeout_seconds: count(1, 600)
      .default(180)
      .meta({ description: 'A command that says nothing itself is ended after so long.' }),
    bubblewrap: z.object({ network: network(true) }).prefault({}),
    docker: z
      .object({
        image: z
          .string()
          .regex(/^[\w][\w.\-/:@]*$/u, {
            message: 'expected the name of an image; for example debian:12-slim',
          })
          .default('debian:12-slim'),
        network: network(true),
      })
      .prefault({}),
    ssh: z
      .object({
        host: z
          .string()
          .regex(/^[\w.@-]*$/u, { message: 'expected a host or user@host; for example agent@build.example' })
          .refine((host) => !host.startsWith('-'), { message: 'expected a host or user@host' })
          .default(''),
        folder: z.string().min(1).default('.').meta({ description: 'Where commands run there.' }),
        port: count(1, 65_535).optional(),
        identity_file: z.string().min(1).optional(),
      })
      .prefault({}),
  })
  .superRefine(({ backend, ssh }, check) => {
    if (backend === 'ssh' && ssh.host === '')
      check.addIssue({
        code: 'custom',
        path: ['ssh', 'host'],
        message: 'expected a host or user@host, since the backend is ssh',
      });
  })
  .meta({ description: 'Commands that the model runs.' });

export const resolveTerminal = (section: z.output<typeof terminal>, home: string): CommandSettings => ({
  timeoutMs: section.timeout_seconds * 1000,
  backend: toBackend(section, home),
});

const toBackend = (
  { backend, bubblewrap, docker, ssh }: z.output<typeof terminal>,
  home: string,
): CommandSettings['backend'] => {
  switch (backend) {
    case 'local':
      return { kind: backend };
    case 'bubblewrap':
      return { kind: backend, hasNetwork: bubblewrap.network };
    case 'docker':
      return { kind: backend, image: docker.image, hasNetwork: docker.network };
    case 'ssh':
      return {
        kind: backend,
        host: ssh.host,
        folder: ssh.folder,
        ...(ssh.port !== undefined && { port: ssh.port }),
        ...(ssh.identity_file !== undefined && { identityFile: expandPath(ssh.identity_file, home) }),
      };
  }
};
