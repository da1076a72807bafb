/**
 * One request. Its headers go before those of the client (`user-agent`, `authorization`, `host`) when their names are in
 * lower case.
 */
export interface HttpRequest {
  /** Default GET. */
  readonly method?: string;
  /** Path and query, added to the path of the client's server; or none, to call that address itself. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Ends the request early. */
  readonly signal: AbortSignal;
  /** Time limit in milliseconds from the call to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Bytes of body, unpacked, beyond which the answer is refused. Default 4 MiB. */
  readonly maxResponseBytes?: number;
  /**
   * Takes the body of a 200 piece by piece as it arrives, without a limit: for watches. The body of the answer is empty
   * then. What it throws ends the request.
   */
  readonly onBody?: (piece: Buffer) => void;
  /**
   * True if the request may be sent again when a reused connection turns out to be lost. Default: depends on the
   * method.
   */
  readonly idempotent?: boolean;
}

/** The whole answer, whatever its status: a 404 or 500 does not reject, and a redirect is not followed. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined as Node joins them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Unpacked, if it came packed. */
  readonly body: Buffer;
}

/** An HttpRequest whose body is any value that JSON can carry. */
export interface JsonRequest extends Omit<HttpRequest, "body"> {
  /** Sent as JSON when given. */
  readonly body?: unknown;
}

/** An HttpResponse with the body parsed. */
export interface JsonResponse extends Omit<HttpResponse, "body"> {
  /** The parsed body; `undefined` when it is empty. To be checked by whoever uses it. */
  readonly body: unknown;
}
