import type { IncomingMessage } from "node:http";
import { StatusError, unauthorized } from "@gatehouse/envelopes";
import type { CallerAuthenticator } from "./caller-authentication.js";

/** Whom a part of a service lets in. */
export interface CallerAdmission {
  readonly admitted: CallerAuthenticator;
  /** Others that the service knows, by credentials of their own: they learn that it is not them who is wanted. */
  readonly others?: CallerAuthenticator;
  /** What the admitted may do: `send events`. */
  readonly action: string;
  /** Told why somebody is not believed. */
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
