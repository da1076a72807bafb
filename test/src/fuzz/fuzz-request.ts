/** A request as it goes over the wire. */
export interface FuzzRequest {
  readonly index: number;
  /** Name of the generator that made it. */
  readonly family: string;
  readonly protocol: "HTTP/1.1" | "HTTP/2" | "raw";
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Bytes of a `raw` request to write to the socket, for the protocol that the connection is opened with. */
  readonly rawBytes?: Buffer;
  readonly rawProtocol?: "http/1.1" | "h2";
}

const shownBodyBytes = 4000;

/** Describes for a person how to send the request again. */
export function describeRequest(request: FuzzRequest, seed: number): string {
  const lines = [
    `request ${request.index} (${request.family}, ${request.protocol}) of seed ${seed}; again with`,
    `  FUZZ_SEED=${seed} FUZZ_ONLY=${request.index} node --test test/dist/fuzz/fuzz.test.js`,
    `${request.method} ${request.target}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const { body, rawBytes } = request;
  if (rawBytes !== undefined) {
    lines.push(`bytes: ${JSON.stringify(rawBytes.subarray(0, shownBodyBytes).toString("latin1"))}`);
  } else if (body !== undefined) {
    lines.push(`body of ${body.length} bytes: ${JSON.stringify(body.subarray(0, shownBodyBytes).toString("latin1"))}`);
  }
  return lines.join("\n");
}
