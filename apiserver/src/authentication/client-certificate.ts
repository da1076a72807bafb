import { certificateSubject } from "@gatehouse/component-base/pki";
import { type ClientVerificationOptions, type VerifiedCertificate, verifyClients } from "@gatehouse/component-base/tls";
import { type AuthenticationDecision, type Authenticator, noOpinion, rejected } from "./authenticator.js";

interface Validity {
  readonly decision: AuthenticationDecision;
  /** The period in which the decision holds, in milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
  /** The end of the certificate's validity, whatever the decision; undefined if none was shown. */
  readonly notAfter: number | undefined;
}

const expired: AuthenticationDecision = rejected("certificate has expired");
const notYet: AuthenticationDecision = rejected("certificate is not yet valid");

/** The authorities of clients, and a listener for certificates. */
export interface ClientCertificateOptions extends Omit<ClientVerificationOptions<never>, "conclude"> {
  /** Called with the remaining validity in seconds for each request that comes with a certificate. */
  readonly shown: (remainingSeconds: number) => void;
}

/**
 * Returns an authenticator of client certificates, signed by an authority of `--client-ca-file`: the common name is the
 * user, the organizations are the groups. The time is checked with each request, since a resumed session keeps the
 * verdict of the first handshake.
 */
export function clientCertificateAuthenticator(options: ClientCertificateOptions): Authenticator {
  const { now, shown } = options;
  const validityOf = verifyClients<Validity>({ ...options, conclude: decide });
  const decideNow = ({ decision, from, until, notAfter }: Validity): AuthenticationDecision => {
    const time = now();
    if (notAfter !== undefined) {
      shown((notAfter - time) / 1000);
    }
    return time > until ? expired : time < from ? notYet : decision;
  };
  return {
    authenticate({ socket }) {
      if (socket === undefined) {
        return noOpinion;
      }
      const validity = validityOf(socket);
      return validity instanceof Promise ? validity.then(decideNow) : decideNow(validity);
    },
  };
}

function decide(shown: VerifiedCertificate | undefined): Validity {
  if (shown === undefined) {
    return always(noOpinion);
  }
  const { certificate, problem } = shown;
  const notAfter = Date.parse(certificate.validTo);
  if (problem !== undefined) {
    return always(rejected(`x509: ${problem}`), notAfter);
  }
  const subject = certificateSubject(certificate);
  if (subject === undefined) {
    return always(rejected("x509: the subject of the certificate is malformed"), notAfter);
  }
  const { commonName, organizations } = subject;
  if (commonName === "") {
    return always(noOpinion, notAfter);
  }
  return {
    decision: { outcome: "authenticated", user: { username: commonName, groups: organizations } },
    from: Date.parse(certificate.validFrom),
    until: notAfter,
    notAfter,
  };
}

function always(decision: AuthenticationDecision, notAfter?: number): Validity {
  return { decision, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY, notAfter };
}
