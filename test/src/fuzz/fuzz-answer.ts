/** Outcome of a request. */
export type FuzzOutcome =
  | { readonly kind: "answer"; readonly status: number; readonly contentType: string; readonly body: Buffer }
  /** The server closed the connection, or the stream, without an answer. */
  | { readonly kind: "closed"; readonly error: string }
  | { readonly kind: "hang"; readonly detail: string };

/** No request here keeps a server busy for long; only a hang takes this much even on a slow machine. */
export const hangMs = 90_000;
