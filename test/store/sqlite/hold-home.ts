/** Takes the home it is given and holds it until it is killed. */
import { acquireHomeLock } from '../../../src/store/sqlite/home-lock.js';

await acquireHomeLock(process.argv[2] ?? '', 'holder');
process.stdout.write('held\n');
process.stdin.resume();
setInterval(() => {}, 60_000);
