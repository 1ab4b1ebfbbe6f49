/** Which commands run beside conversations, on disk: what a life of the gateway leaves running, the next one ends and tells of. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { toAccountId, toChatId, toCorrelationId, toPlatformId, toThreadId } from '../../core/ids.js';
import type { Route } from '../../core/route.js';

const entry = z.object({
  id: z.string(),
  runId: z.string(),
  line: z.string(),
  startedAt: z.number(),
  correlation: z.string().transform(toCorrelationId),
  route: z.object({
    platform: z.string(),
    account: z.string(),
    chat: z.string(),
    thread: z.string().optional(),
  }),
});

export type RecordedCommand = Omit<z.output<typeof entry>, 'route'> & { readonly route: Route };

const toRoute = ({ platform, account, chat, thread }: z.output<typeof entry>['route']): Route => ({
  platform: toPlatformId(platform),
  account: toAccountId(account),
  chat: toChatId(chat),
  ...(thread !== undefined && { thread: toThreadId(thread) }),
});

export class CommandRecord {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** What an earlier life left; empty if nothing, or nothing that can be read. */
  load(): readonly RecordedCommand[] {
    try {
      const entries = z.array(entry).parse(JSON.parse(readFileSync(this.#file, 'utf8')));
      return entries.map((one) => ({ ...one, route: toRoute(one.route) }));
    } catch {
      return [];
    }
  }

  /** Throws what writing throws. */
  save(commands: readonly RecordedCommand[]): void {
    const beside = `${this.#file}.new`;
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    writeFileSync(beside, JSON.stringify(commands), { mode: 0o600 });
    renameSync(beside, this.#file);
  }
}
