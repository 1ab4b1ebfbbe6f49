/** A home whose device is linked already, and a process that trusts the emulator's file server. */
import { mkdir, writeFile } from 'node:fs/promises';
import { globalAgent } from 'node:https';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import type { Credentials } from './protocol.js';

/** Puts the credentials where the gateway looks for them. */
export async function linkHome(home: string, { creds, preKeys }: Credentials): Promise<void> {
  const folder = join(home, 'whatsapp', 'session');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'creds.json'), JSON.stringify(creds), { mode: 0o600 });
  // By id, as the emulator says.
  const keys = Object.entries(preKeys as Readonly<Record<string, unknown>>);
  await Promise.all(
    keys.map(([id, key]) =>
      writeFile(join(folder, `pre-key-${id}.json`), JSON.stringify(key), { mode: 0o600 }),
    ),
  );
}

/** What NODE_EXTRA_CA_CERTS does for a process of its own. */
export function trustMediaOf(certificate: string): void {
  globalAgent.options.ca = [...rootCertificates, certificate];
}
