import type { TLSSocket } from "node:tls";
import { authenticatedGroup } from "../request/user-info.js";
import { type AuthenticationDecision, type Authenticator, noOpinion } from "./authenticator.js";

/**
 * Users by client certificate, signed by an authority of `--client-ca-file`: the common name is the user, the
 * organizations are the groups. A connection shows its certificate once, so its decision is kept with it.
 */
export function clientCertificateAuthenticator(now: () => number = Date.now): Authenticator {
  const decisions = new WeakMap<object, { decision: AuthenticationDecision; validUntil: number }>();
  return {
    authenticate({ socket }) {
      if (socket === undefined) {
        return noOpinion;
      }
      const known = decisions.get(socket);
      if (known !== undefined) {
        return now() < known.validUntil ? known.decision : { outcome: "rejected", reason: "certificate has expired" };
      }
      const fresh = decide(socket);
      decisions.set(socket, fresh);
      return fresh.decision;
    },
  };
}

function decide(socket: TLSSocket): { decision: AuthenticationDecision; validUntil: number } {
  const certificate = socket.getPeerCertificate();
  if (certificate === null || certificate === undefined || Object.keys(certificate).length === 0) {
    return { decision: noOpinion, validUntil: Number.POSITIVE_INFINITY };
  }
  if (!socket.authorized) {
    return {
      decision: {
        outcome: "rejected",
        reason: `x509: ${socket.authorizationError ?? "not signed by a trusted authority"}`,
      },
      validUntil: Number.POSITIVE_INFINITY,
    };
  }
  // Of several common names the last one counts, as for Go.
  const username = valuesOf(certificate.subject.CN).at(-1);
  if (username === undefined || username === "") {
    return { decision: noOpinion, validUntil: Number.POSITIVE_INFINITY };
  }
  const groups = [...valuesOf(certificate.subject.O), authenticatedGroup];
  return {
    decision: { outcome: "authenticated", user: { username, groups } },
    validUntil: Date.parse(certificate.valid_to),
  };
}

/** A name may hold an attribute several times; Node shows a list then, whatever its types say. */
function valuesOf(attribute: string | readonly string[] | undefined): readonly string[] {
  return attribute === undefined ? [] : typeof attribute === "string" ? [attribute] : attribute;
}
