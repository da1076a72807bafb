import type { IncomingMessage } from "node:http";
import { StatusError, unauthorized } from "@gatehouse/envelopes/status";
import type { CallerAuthenticator } from "./caller-authentication.js";

/** The callers that a part of a service admits. */
export interface CallerAdmission {
  readonly admitted: CallerAuthenticator;
  /** Callers that the service knows by other credentials; they are answered 403, not 401. */
  readonly others?: CallerAuthenticator;
  /** Action for which callers are admitted, as in "may not send events": `send events`. */
  readonly action: string;
  /** Called with the reason when a caller is answered 401. */
  readonly onRejected?: (reason: string) => void;
}

/** The name of a caller. Throws StatusError 403 for one who is known, but may not do this, and 401 for everybody else. */
export async function admitCaller(
  { admitted, others, action, onRejected }: CallerAdmission,
  request: IncomingMessage,
): Promise<string> {
  const verdict = await admitted.authenticate(request);
  if (verdict.outcome === "accepted") {
    return verdict.name;
  }
  const known = await others?.authenticate(request);
  if (known?.outcome === "accepted") {
    throw new StatusError(403, "Forbidden", `${JSON.stringify(known.name)} may not ${action}`);
  }
  const reason =
    verdict.outcome === "rejected" ? verdict.reason : "the caller shows no credential that is asked for here";
  onRejected?.(reason);
  throw unauthorized(`Unauthorized: ${reason}`);
}
