/**
 * The error for a call of a key management service that has failed. `code` is its gRPC status. The message is that of Go's
 * gRPC library, and may hold text of the service.
 */
export class KmsError extends Error {
  override readonly name = "KmsError";
  readonly code: number;

  constructor(code: number, details: string, options?: ErrorOptions) {
    super(`rpc error: code = ${nameOf(code)} desc = ${details}`, options);
    this.code = code;
  }

  /** The name of the gRPC status. */
  get statusName(): string {
    return nameOf(this.code);
  }
}

/** Returns the name of the gRPC status of an error, or of the one that caused it. */
export function statusName(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof KmsError) {
      return current.statusName;
    }
  }
  return "unknown-non-grpc";
}

/** Reports whether the call may succeed later although nothing is changed: the service could not be asked in time. */
export function isPassing({ statusName: status }: KmsError): boolean {
  return passing.has(status);
}

/** Names of gRPC's statuses in Go, by their number. */
const names = [
  ...["OK", "Canceled", "Unknown", "InvalidArgument", "DeadlineExceeded", "NotFound", "AlreadyExists"],
  ...["PermissionDenied", "ResourceExhausted", "FailedPrecondition", "Aborted", "OutOfRange", "Unimplemented"],
  ...["Internal", "Unavailable", "DataLoss", "Unauthenticated"],
];
const passing: ReadonlySet<string> = new Set(["Canceled", "DeadlineExceeded", "ResourceExhausted", "Unavailable"]);

function nameOf(code: number): string {
  return names[code] ?? `Code(${code})`;
}
