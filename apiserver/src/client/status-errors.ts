import { StatusError } from "@gatehouse/envelopes";

/** There is no such object, or no such resource. */
export function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.reason === "NotFound";
}

/** Somebody else changed or made the object at the same time: nothing to report, only to look again. */
export function isLostRace(error: unknown): boolean {
  return error instanceof StatusError && (error.reason === "Conflict" || error.reason === "AlreadyExists");
}

/** The namespace went away meanwhile: no failure, there is just nothing left to do in it. */
export function isNamespaceGone(error: unknown): boolean {
  if (!(error instanceof StatusError)) {
    return false;
  }
  const { reason, status } = error;
  return (
    (reason === "NotFound" && status.details?.kind === "namespaces") ||
    status.details?.causes?.some((cause) => cause.reason === "NamespaceTerminating") === true
  );
}

/** For promises whose object may be gone: then there is nothing left to do. */
export function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) {
    throw error;
  }
}
