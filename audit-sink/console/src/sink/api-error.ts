/** A parameter that the sink refused, and the reason. */
export interface ParameterError {
  readonly field: string;
  readonly message: string;
}

interface ErrorDetails {
  readonly parameters?: readonly ParameterError[];
  readonly retryAfterMs?: number | undefined;
}

/** Codes of answers that may be another one soon. */
const transientCodes: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);

/** The failure of a request to the sink. */
export class ApiError extends Error {
  /** Status code of the answer; 0 when there was none. */
  readonly code: number;
  readonly parameters: readonly ParameterError[];
  /** Advice of the sink on when to try again. */
  readonly retryAfterMs: number | undefined;

  constructor(code: number, message: string, { parameters = [], retryAfterMs }: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.parameters = parameters;
    this.retryAfterMs = retryAfterMs;
  }

  get isTransient(): boolean {
    return transientCodes.has(this.code);
  }
}

/** Reads the Status of an answer that is no success. */
export async function errorOf(response: Response): Promise<ApiError> {
  const status: unknown = await response.json().catch(() => undefined);
  const { message, details } = Object.assign({ message: undefined, details: undefined }, status) as {
    readonly message: unknown;
    readonly details: unknown;
  };
  const { causes, retryAfterSeconds } = Object.assign({ causes: [], retryAfterSeconds: undefined }, details);
  const text = typeof message === "string" ? message : `The sink answers ${response.status} ${response.statusText}.`;
  return new ApiError(response.status, text, {
    parameters: Array.isArray(causes) ? causes.flatMap(parameterErrors) : [],
    retryAfterMs: typeof retryAfterSeconds === "number" ? retryAfterSeconds * 1000 : undefined,
  });
}

function parameterErrors(cause: unknown): readonly ParameterError[] {
  const { field, message } = Object.assign({ field: "", message: "" }, cause) as Record<string, unknown>;
  return typeof field === "string" && typeof message === "string" ? [{ field, message }] : [];
}
