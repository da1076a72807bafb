/** A request that the load generator sends again and again, whatever the protocol. */
export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  /** JSON, or a message of gRPC. `numberMark` in it becomes the request's number, in `numberDigits` digits. */
  readonly body?: string;
  /** True for a call of gRPC in plain text: each character of `body` is a byte of the message with its prefix. */
  readonly isGrpc?: true;
  /** `application/json` when left out. */
  readonly contentType?: string;
  /** The Accept header; `application/json` when left out. */
  readonly accept?: string;
  /** Sent as bearer token. */
  readonly token?: string;
}

/** Stands in for the number while a request is described; occurs nowhere else. */
export const numberMark = "{number}";

/** Digits of the number: fixed, so that all requests of a kind have the same length. */
export const numberDigits = 9;

/** The headers of a request, in lower case and in the order in which they are sent. */
export function headersOf({
  body,
  contentType = "application/json",
  accept = "application/json",
  token,
  isGrpc,
}: LoadRequest): readonly (readonly [name: string, value: string])[] {
  if (isGrpc) {
    return [
      ["content-type", "application/grpc"],
      ["te", "trailers"],
    ];
  }
  const usual = [
    ["accept", accept] as const,
    ...(token === undefined ? [] : [["authorization", `Bearer ${token}`] as const]),
  ];
  if (body === undefined) {
    return usual;
  }
  const bodyLength = Buffer.byteLength(body.replaceAll(numberMark, "0".repeat(numberDigits)));
  return [...usual, ["content-type", contentType], ["content-length", String(bodyLength)]];
}
