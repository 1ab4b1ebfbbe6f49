/** Discord's refusals: HTTP status, its own numeric code, and its words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: number,
    message: string,
    more: {
      readonly errors?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly extra?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = more.errors;
    this.headers = more.headers ?? {};
    this.extra = more.extra ?? {};
  }

  body(): unknown {
    return {
      message: this.message,
      code: this.code,
      ...(this.errors === undefined ? {} : { errors: this.errors }),
      ...this.extra,
    };
  }
}

/** 50035 with the place and the reason, as `{content: {_errors: [{code, message}]}}`. */
export const invalidForm = (field: string, code: string, message: string): ApiError => {
  const leaf: unknown = { _errors: [{ code, message }] };
  const errors = field
    .split('.')
    .reverse()
    .reduce<unknown>((inner, name) => ({ [name]: inner }), leaf);
  return new ApiError(400, 50_035, 'Invalid Form Body', { errors });
};

export const unknownChannel = (): ApiError => new ApiError(404, 10_003, 'Unknown Channel');
export const unknownMessage = (): ApiError => new ApiError(404, 10_008, 'Unknown Message');
export const missingAccess = (): ApiError => new ApiError(403, 50_001, 'Missing Access');
export const missingPermissions = (): ApiError => new ApiError(403, 50_013, 'Missing Permissions');
export const cannotMessage = (): ApiError => new ApiError(403, 50_007, 'Cannot send messages to this user');
export const emptyMessage = (): ApiError => new ApiError(400, 50_006, 'Cannot send an empty message');
export const unknownInteraction = (): ApiError => new ApiError(404, 10_062, 'Unknown interaction');
export const unauthorized = (): ApiError => new ApiError(401, 0, '401: Unauthorized');
export const entityTooLarge = (): ApiError => new ApiError(413, 40_005, 'Request entity too large');
