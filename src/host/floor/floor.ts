/** What no permission lifts (see core/floor.ts). */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Floor } from '../../core/floor.js';
import { type FloorPlaces, pathProblem } from './places.js';

const toReal = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    // It is not there yet.
    return resolve(path);
  }
};

export const createFloor = (places: FloorPlaces): Floor => {
  const real: FloorPlaces = {
    ...places,
    home: toReal(places.home),
    workspace: toReal(places.workspace),
    program: toReal(places.program),
  };
  const path: Floor['path'] = (name, access) =>
    pathProblem(resolve(name), access, places) ?? pathProblem(resolve(name), access, real);
  return { path, command: () => undefined, argv: () => undefined };
};
