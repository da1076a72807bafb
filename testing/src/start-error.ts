/** A control plane that did not start, or did not take what it was to begin with. The end of its log is in the message. */
export class ControlPlaneStartError extends Error {
  override readonly name = "ControlPlaneStartError";
}

/** Characters at the end of a log that help to see why a start failed. */
const shownCharacters = 4000;

/** Makes the error of a start from what has failed. */
export function startError(cause: unknown, log: string): ControlPlaneStartError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const tail = log.trimEnd().slice(-shownCharacters);
  return new ControlPlaneStartError(tail === "" ? message : `${message}\nIts log:\n${tail}`, { cause });
}
