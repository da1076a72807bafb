import { GrpcStatusError, grpcCode } from "@gatehouse/component-base/grpc-server";
import {
  RevisionCompactedError,
  RevisionInFutureError,
  StoreDamagedError,
  StoreUnavailableError,
  StoreUnwritableError,
} from "../../errors/errors.js";

const { invalidArgument, outOfRange, resourceExhausted, notFound, failedPrecondition, dataLoss, unavailable } =
  grpcCode;

/** The errors of etcd, with its codes and texts: clients know them by these. */
export const etcdErrors = {
  emptyKey: error(invalidArgument, "etcdserver: key is not provided"),
  keyNotFound: error(invalidArgument, "etcdserver: key not found"),
  valueProvided: error(invalidArgument, "etcdserver: value is provided"),
  leaseProvided: error(invalidArgument, "etcdserver: lease is provided"),
  tooManyOperations: error(invalidArgument, "etcdserver: too many operations in txn request"),
  duplicateKey: error(invalidArgument, "etcdserver: duplicate key given in txn request"),
  requestTooLarge: error(invalidArgument, "etcdserver: request is too large"),
  compacted: error(outOfRange, "etcdserver: mvcc: required revision has been compacted"),
  futureRevision: error(outOfRange, "etcdserver: mvcc: required revision is a future revision"),
  noSpace: error(resourceExhausted, "etcdserver: mvcc: database space exceeded"),
  leaseNotFound: error(notFound, "etcdserver: requested lease not found"),
  leaseExists: error(failedPrecondition, "etcdserver: lease already exists"),
  leaseTtlTooLarge: error(outOfRange, "etcdserver: too large lease TTL"),
  authNotEnabled: error(failedPrecondition, "etcdserver: authentication is not enabled"),
  badLeaderTransferee: error(failedPrecondition, "etcdserver: bad leader transferee"),
  corrupt: error(dataLoss, "etcdserver: corrupt cluster"),
} as const;

/** The errors of limits that etcd does not have. */
export const faceErrors = {
  keyTooLong: (maxBytes: number) => error(invalidArgument, `gatehouse: a key may have at most ${maxBytes} bytes`),
  keyNotText: error(invalidArgument, "gatehouse: a key must be valid UTF-8"),
  tooManyKeys: (max: number) =>
    error(resourceExhausted, `gatehouse: a transaction may read or change at most ${max} keys in a range`),
  answerTooLarge: error(resourceExhausted, "gatehouse: the answer is too large; read the range in pages"),
  tooManyLeases: (max: number) => error(resourceExhausted, `gatehouse: there may be at most ${max} leases`),
} as const;

function error(code: number, message: string): GrpcStatusError {
  return new GrpcStatusError(code, message);
}

/** Returns the result of a part of the store, or throws the status for its error. */
export async function orStatus<T>(result: T | Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw statusOfError(error);
  }
}

/** Returns the status for an error of the store; any other error as it is. */
export function statusOfError(thrown: unknown): unknown {
  if (thrown instanceof RevisionCompactedError) {
    return etcdErrors.compacted;
  }
  if (thrown instanceof RevisionInFutureError) {
    return etcdErrors.futureRevision;
  }
  if (thrown instanceof StoreUnwritableError) {
    return etcdErrors.noSpace;
  }
  if (thrown instanceof StoreDamagedError) {
    return error(dataLoss, `etcdserver: corrupt cluster: ${thrown.message}`);
  }
  return thrown instanceof StoreUnavailableError ? error(unavailable, `etcdserver: ${thrown.message}`) : thrown;
}
