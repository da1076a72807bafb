/** An answer that a bare server gives: no routing, no decisions, nothing but the write. */
export interface BareRoute {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with every answer; in pieces of `chunkBytes` when given, at the client's pace. */
  readonly body?: Buffer;
  readonly chunkBytes?: number;
  /** The answer stays open; `startWriting` writes to all of them. */
  readonly stream?: boolean;
}
