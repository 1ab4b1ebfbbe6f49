/**
 * `npm start`: set-up, then the gateway. Services run `node dist/main.js gateway` themselves; this is for a person at
 * a terminal, where two things must be kept from the gateway:
 *
 * 1. A single Ctrl-C arrives several times (from the terminal, and once more from npm), and a second signal means
 *    "stop at once". So the gateway gets its own process group, and a quick repeat is not passed on.
 * 2. A closed terminal is a hang-up, which a daemon takes for "reload". Here it means "stop".
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, projectRoot } from './setup.mjs';

/** Longer than npm takes to pass a signal on, shorter than a person takes to press twice. */
const repeatMs = 250;

ensureInstalled();
ensureBuilt();

const args = process.argv.slice(2);
const gateway = spawn(process.execPath, [join(projectRoot, 'dist/main.js'), 'gateway', ...args], {
  stdio: 'inherit',
  detached: true,
});

let passedAt = Number.NEGATIVE_INFINITY;
/** @type {(signal: NodeJS.Signals) => void} */
function pass(signal) {
  if (performance.now() - passedAt < repeatMs) return;
  passedAt = performance.now();
  gateway.kill(signal);
}

process.on('SIGINT', pass);
process.on('SIGTERM', pass);
if (process.stdin.isTTY) process.on('SIGHUP', () => pass('SIGTERM'));

gateway.on('error', (error) => {
  process.stderr.write(`hermes: the gateway cannot be started: ${error.message}\n`);
  process.exit(1);
});
gateway.on('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  // Ends as the gateway ended, so that a caller sees the same.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
