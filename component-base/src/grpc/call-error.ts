import { grpcCode } from "./grpc-status.js";

/** The failure of a call that this client has made. Its members are named as in grpc-js's ServiceError. */
export class GrpcCallError extends Error {
  override readonly name = "GrpcCallError";
  /** The status of the call. */
  readonly code: number;
  /** The message of the status. */
  readonly details: string;
  /** True if it is certain that no server has begun to carry out the call. */
  readonly isUnsent: boolean;

  constructor(code: number, details: string, { isUnsent = false, cause }: GrpcCallErrorOptions = {}) {
    super(`grpc status ${code}: ${details}`, cause === undefined ? {} : { cause });
    this.code = code;
    this.details = details;
    this.isUnsent = isUnsent;
  }
}

/** The facts about a failed call beside its status. */
export interface GrpcCallErrorOptions {
  readonly isUnsent?: boolean;
  readonly cause?: unknown;
}

const codesOfHttp: Readonly<Record<number, number>> = {
  400: grpcCode.internal,
  401: grpcCode.unauthenticated,
  403: grpcCode.permissionDenied,
  404: grpcCode.unimplemented,
  429: grpcCode.unavailable,
  502: grpcCode.unavailable,
  503: grpcCode.unavailable,
  504: grpcCode.unavailable,
};

/** Returns the error of an answer without a status of gRPC, as a proxy in between gives it. */
export function errorOfHttpStatus(status: number): GrpcCallError {
  return new GrpcCallError(codesOfHttp[status] ?? grpcCode.unknown, `Received HTTP status code ${status}`);
}

/** Error codes of HTTP/2 that a stream can end with. */
const resetCode = { refusedStream: 7, cancel: 8, enhanceYourCalm: 11, inadequateSecurity: 12 } as const;

/** Returns the error of a call that the server has ended with RST_STREAM. */
export function errorOfReset(code: number): GrpcCallError {
  switch (code) {
    case resetCode.refusedStream:
      return new GrpcCallError(grpcCode.unavailable, "Stream refused by server", { isUnsent: true });
    case resetCode.cancel:
      return new GrpcCallError(grpcCode.cancelled, "Call cancelled");
    case resetCode.enhanceYourCalm:
      return new GrpcCallError(grpcCode.resourceExhausted, "Bandwidth exhausted or memory limit exceeded");
    case resetCode.inadequateSecurity:
      return new GrpcCallError(grpcCode.permissionDenied, "Protocol not secure enough");
    default:
      return new GrpcCallError(grpcCode.internal, `Received RST_STREAM with code ${code}`);
  }
}

/** Returns the text of a `grpc-message`, which is percent-encoded; a malformed one as it is. */
export function decodeStatusMessage(encoded: string): string {
  if (!encoded.includes("%")) {
    return encoded;
  }
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
