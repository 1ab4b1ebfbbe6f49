/** Refusals in the Bot API's own words. */

export interface ErrorParameters {
  /** Seconds. */
  readonly retry_after?: number;
  readonly migrate_to_chat_id?: number;
}

/** Becomes `{ok: false, error_code, description, parameters?}` with the same HTTP status. */
export class ApiError extends Error {
  readonly code: number;
  readonly parameters: ErrorParameters | undefined;

  constructor(code: number, description: string, parameters?: ErrorParameters) {
    super(description);
    this.name = 'ApiError';
    this.code = code;
    this.parameters = parameters;
  }
}

export function badRequest(reason: string, parameters?: ErrorParameters): ApiError {
  return new ApiError(400, `Bad Request: ${reason}`, parameters);
}

export function forbidden(reason: string): ApiError {
  return new ApiError(403, `Forbidden: ${reason}`);
}

export function conflict(reason: string): ApiError {
  return new ApiError(409, `Conflict: ${reason}`);
}

export function tooManyRequests(retryAfterSeconds: number): ApiError {
  return new ApiError(429, `Too Many Requests: retry after ${retryAfterSeconds}`, {
    retry_after: retryAfterSeconds,
  });
}
