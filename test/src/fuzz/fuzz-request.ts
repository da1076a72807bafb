/** A request as it goes over the wire. */
export interface FuzzRequest {
  readonly index: number;
  /** Which generator made it. */
  readonly family: string;
  readonly protocol: "HTTP/1.1" | "HTTP/2" | "raw";
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** For `raw`: everything that is written to the socket, and the protocol that the connection is opened for. */
  readonly rawBytes?: Buffer;
  readonly rawProtocol?: "http/1.1" | "h2";
}

const shownBodyBytes = 4000;

/** How to send the same request again, for a person. */
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
