/** The gateway's own places, as a path that was resolved is compared with them. Pure. */
import { isGatewayOwn, isInside } from '../secret-paths.js';

export interface FloorPlaces {
  /** HERMES_HOME. */
  readonly home: string;
  readonly workspace: string;
  /** Where the gateway's own program lies. */
  readonly program: string;
  readonly userHome: string;
  /** The gateway's process. */
  readonly pid: number;
}

/** Of the home: a person may look at them and change them, and so may whoever works for one. */
const persona = /^(?:SOUL|AGENTS|MEMORY|USER)\.md$/u;

const processSecret =
  /^\/proc\/(?:self|thread-self|\d+|\*)(?:\/task\/[^/]+)?\/(?:environ|mem|root|cwd|fd)(?:\/|$)/u;
const wholeDisk =
  /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|disk\/|mapper\/|dm-\d|md\d|loop\d)/u;

/** Whether it is a disk, or a part of one, as a file. */
export const isDisk = (path: string): boolean => wholeDisk.test(path);

/** Why a file is not for anybody to reach through a tool; undefined: no reason of the gateway's own. */
export const pathProblem = (
  path: string,
  access: 'read' | 'write',
  { home, workspace, program }: FloorPlaces,
): string | undefined => {
  if (processSecret.test(path)) return `${path} shows the memory or the environment of a process.`;
  if (access === 'write' && isDisk(path)) return `Writing to ${path} destroys the disk.`;
  if (isInside(path, workspace) && workspace !== home) return undefined;
  if (isGatewayOwn(path, home) && !persona.test(path.slice(home.length + 1)))
    return `${path} belongs to the gateway's own secrets, settings and records.`;
  if (access === 'write' && isInside(path, program)) return `${path} is part of the gateway's own program.`;
  return undefined;
};
