import type { JsonObject } from "@gatehouse/envelopes/json";

/** A request to the server. */
export interface CheckRequest {
  /** Default GET. */
  readonly method?: string;
  readonly path: string;
  /** Default `application/json`. */
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: string;
}

/** The answer of the server. */
export interface CheckAnswer {
  readonly status: number;
  readonly body: JsonObject;
  /** Texts of the Warning headers. */
  readonly warnings: readonly string[];
}

/** An API server that documents are put to. */
export interface JudgingServer {
  /** Sends a request; resolves to the answer, whatever its status. */
  send(request: CheckRequest): Promise<CheckAnswer>;
}
