import { StatusError } from "../status/status-error.js";

/**
 * Returns the 422 for a patch that is well-formed but does not apply: a failed test, a missing path, an impossible
 * index. kube-apiserver tells the client no more than this; `detail` stays on our side as the error's cause.
 */
export function patchDoesNotApply(detail: string): StatusError {
  return new StatusError(
    422,
    "Invalid",
    "the server rejected our request due to an error in our request",
    {},
    { cause: new Error(detail) },
  );
}
