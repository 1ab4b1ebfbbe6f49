import type { MultipartPart } from '../../kit/multipart.js';
import type { World } from '../world.js';

export interface RouteCall {
  readonly world: World;
  /** What the path's pattern caught, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly files: readonly MultipartPart[];
}

export interface RouteAnswer {
  readonly status: number;
  readonly body?: unknown;
}

export interface Route {
  readonly verb: string;
  readonly pattern: RegExp;
  run(call: RouteCall): RouteAnswer;
}

export const ok = (body: unknown): RouteAnswer => ({ status: 200, body });
export const noContent: RouteAnswer = { status: 204 };
