import { GrpcCallError } from "@gatehouse/component-base/grpc";
import {
  StoreRefusedError,
  StoreTimeoutError,
  StoreUnwritableError,
  StoreValueTooLargeError,
} from "../../errors/errors.js";

/** Status codes of gRPC that are told apart here. */
const code = {
  cancelled: 1,
  unknown: 2,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  outOfRange: 11,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
} as const;

/** Names of the codes as the text of errors has them, in Go's gRPC. */
const codeNames = [
  ...["OK", "Canceled", "Unknown", "InvalidArgument", "DeadlineExceeded", "NotFound", "AlreadyExists"],
  ...["PermissionDenied", "ResourceExhausted", "FailedPrecondition", "Aborted", "OutOfRange", "Unimplemented"],
  ...["Internal", "Unavailable", "DataLoss", "Unauthenticated"],
];

/** Returns the status of a failed call; undefined for an error that no call has made. */
export function grpcErrorOf(error: unknown): GrpcCallError | undefined {
  return error instanceof GrpcCallError ? error : undefined;
}

/** Reports whether history at the revision is no longer there. */
export function isCompacted(error: unknown): boolean {
  const failed = grpcErrorOf(error);
  return failed?.code === code.outOfRange && failed.details.includes("compacted");
}

/** Reports whether the revision has not been reached. */
export function isFuture(error: unknown): boolean {
  const failed = grpcErrorOf(error);
  return failed?.code === code.outOfRange && failed.details.includes("future revision");
}

/** Reports whether the quota of the backend is used up. */
function isNoSpace(error: unknown): boolean {
  const failed = grpcErrorOf(error);
  return failed?.code === code.resourceExhausted && failed.details.includes("space exceeded");
}

/** Reports whether a request is larger than etcd takes, or than its server of gRPC reads. */
function isTooLarge({ code: status, details }: GrpcCallError): boolean {
  return (
    details === "etcdserver: request is too large" ||
    (status === code.resourceExhausted && details.startsWith("grpc: received message larger than max"))
  );
}

/** Reports whether etcd refuses all writes, since its members have found that their data differ. */
function isCorrupt(error: unknown): boolean {
  const failed = grpcErrorOf(error);
  return failed?.code === code.dataLoss && failed.details.includes("corrupt cluster");
}

/** Reports whether a put named a lease that has ended. */
export function isLeaseNotFound(error: unknown): boolean {
  const failed = grpcErrorOf(error);
  return failed?.code === code.notFound && failed.details.includes("lease not found");
}

/**
 * Reports whether the member, or the way to it, is the cause of the failure, so that another member may do better. Errors
 * of the request itself are none.
 */
export function isMemberFailure(error: unknown): boolean {
  const failed = grpcErrorOf(error);
  return (
    failed !== undefined &&
    (failed.code === code.unavailable ||
      failed.code === code.deadlineExceeded ||
      failed.code === code.cancelled ||
      failed.code === code.unknown ||
      failed.code === code.internal)
  );
}

/** Refusals of a member that has not looked at the request, though their code is that of a failing member. */
const refusals = ["etcdserver: no leader", "etcdserver: too many requests", "etcdserver: not capable"];

/**
 * Reports whether it is certain that a failed write has not happened, and will not: etcd itself says so, or the call was
 * never sent. Any other error can come after the write.
 */
export function isRefusal(error: unknown): boolean {
  const failed = grpcErrorOf(error);
  if (failed === undefined) {
    return false;
  }
  if (failed.isUnsent) {
    return true;
  }
  return isMemberFailure(error) ? refusals.includes(failed.details) : failed.details.startsWith(etcdText);
}

/** The beginning of the texts of etcd's own errors. */
const etcdText = "etcdserver: ";

/** Returns the error of the store for a failed call, in the words of v1.29; other errors as they are. */
export function storeErrorOf(error: unknown): unknown {
  const failed = grpcErrorOf(error);
  if (failed === undefined) {
    return error;
  }
  if (failed.code === code.deadlineExceeded) {
    return new StoreTimeoutError({ cause: error });
  }
  // Errors of etcd itself are known by their texts; all others are told with their code.
  const message = failed.details.startsWith(etcdText)
    ? failed.details
    : `rpc error: code = ${codeNames[failed.code] ?? failed.code} desc = ${failed.details}`;
  if (isTooLarge(failed)) {
    return new StoreValueTooLargeError(message, { cause: error });
  }
  return isNoSpace(error) || isCorrupt(error)
    ? new StoreUnwritableError(message, { cause: error })
    : new StoreRefusedError(message, { cause: error });
}
