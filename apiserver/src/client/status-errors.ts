import { StatusError } from "@gatehouse/envelopes/status";

/** Reports whether an error says that there is no such object, or no such resource. */
export function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.reason === "NotFound";
}

/** Reports whether an error says that another client changed or made the object at the same time: look again. */
export function isLostRace(error: unknown): boolean {
  return error instanceof StatusError && (error.reason === "Conflict" || error.reason === "AlreadyExists");
}

/** Reports whether an error says that the namespace is being deleted: there is nothing left to do in it. */
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

/** Ignores an error for an object that is gone; throws all others. Meant for `catch` of promises. */
export function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) {
    throw error;
  }
}
