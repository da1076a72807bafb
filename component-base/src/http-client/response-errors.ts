/** An answer that broke off before its end. */
export class TruncatedBodyError extends Error {
  override readonly name = "TruncatedBodyError";

  constructor(options?: ErrorOptions) {
    super("the response ended before its end", options);
  }
}

/** What came is no answer in HTTP/1.1. */
export class MalformedResponseError extends Error {
  override readonly name = "MalformedResponseError";
  /** Its first line, as far as it is not too long to be told. */
  readonly firstLine: string;

  constructor(beginning: Buffer | undefined, options?: ErrorOptions) {
    super("the response is malformed", options);
    [this.firstLine = ""] = beginning?.subarray(0, 200).toString("latin1").split(/\r?\n/) ?? [];
  }
}
