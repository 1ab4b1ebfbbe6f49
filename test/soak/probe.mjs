/**
 * Loaded into the gateway by NODE_OPTIONS, so that the product needs no door for it: at SIGUSR2 the heap that is in use
 * after a collection, at the end what is still open. One line of JSON each, appended to the file PROBE_FILE names.
 */
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const file = process.env['PROBE_FILE'];
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** @param {object} entry */
const tell = (entry) => {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`);
};

process.on('SIGUSR2', () => {
  collect();
  collect();
  tell({ heapBytes: process.memoryUsage().heapUsed });
});

const exit = process.exit.bind(process);
// One turn later: the call may come from within the very request that would be listed.
process.exit = /** @type {typeof process.exit} */ (
  (code) => {
    setImmediate(() => {
      // The standard streams are the operating system's.
      const open = process
        .getActiveResourcesInfo()
        .filter((kind) => !/^(?:TTY|Pipe|TTYWrap|PipeWrap|Immediate)$/u.test(kind));
      tell({ open });
      exit(code);
    });
  }
);
