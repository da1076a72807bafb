/**
 * The error for a server behind this one that cannot be asked, or answers with what is no Status. Thrown by requests of
 * controllers to it, which try again. It is no fault of this program, so that logs show its message alone.
 */
export class RemoteServerError extends Error {
  override readonly name = "RemoteServerError";
}
