/** What a process takes, as Linux counts it under /proc. */
import { readFileSync } from 'node:fs';

/** USER_HZ: 100 on every Linux that Node runs on. */
const TICK_MS = 10;

/** Resident memory, shared pages included. */
export function residentBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kibibytes === undefined) throw new Error(`process ${pid} says nothing of its memory`);
  return Number(kibibytes) * 1024;
}

/** User and system time of all threads since the start. */
export function cpuMs(pid: number): number {
  const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the name in parentheses, which may contain spaces; utime and stime are the 14th and 15th.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
