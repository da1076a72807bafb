import type { TLSSocket } from "node:tls";
import { type CertificateCaller, callerOf, type IdentifyCaller } from "../tls/caller-certificates.js";
import { peerCertificateOf } from "../tls/peer-certificate.js";
import type { CallerAuthenticator, CallerVerdict } from "./caller-authentication.js";

/** Conditions under which client certificates are accepted. */
export interface ClientCertificateOptions {
  /** Common names that may call. Default: any certificate that an authority of the TLS server has signed. */
  readonly allowedNames?: readonly string[];
  /**
   * Identifies the peer of a connection by authorities that may change. Default: the TLS server's finding at connection
   * time, which is OpenSSL's verdict alone.
   */
  readonly identify?: IdentifyCaller;
}

const noOpinion: CallerVerdict = Object.freeze({ outcome: "noOpinion" });

/**
 * Believes callers by the client certificate of their TLS connection. The server must ask for one (`requestCert`) and
 * know the authorities (`ca`); a connection without TLS or certificate gets no opinion.
 */
export function clientCertificates(options: ClientCertificateOptions = {}): CallerAuthenticator {
  const { identify = identifyAsConnected } = options;
  const allowed = options.allowedNames === undefined ? undefined : new Set(options.allowedNames);
  return {
    authenticate({ socket }) {
      if (!("encrypted" in socket)) {
        return noOpinion;
      }
      const caller = identify(socket as TLSSocket);
      return caller instanceof Promise ? caller.then((found) => verdictOn(found, allowed)) : verdictOn(caller, allowed);
    },
  };
}

function verdictOn(caller: CertificateCaller, allowed: ReadonlySet<string> | undefined): CallerVerdict {
  switch (caller.outcome) {
    case "none":
      return noOpinion;
    case "rejected":
      return { outcome: "rejected", reason: caller.reason };
    case "trusted":
      return allowed === undefined || allowed.has(caller.commonName)
        ? { outcome: "accepted", name: caller.commonName }
        : { outcome: "rejected", reason: "the name in the client certificate is none of those that may call" };
  }
}

/** The dates are looked at with each call, since a connection may outlive its certificate. */
const identifyAsConnected: IdentifyCaller = (socket) => {
  const certificate = peerCertificateOf(socket);
  if (certificate === undefined) {
    return { outcome: "none" };
  }
  if (!socket.authorized) {
    return { outcome: "rejected", reason: "the certificate is signed by an unknown authority" };
  }
  const now = Date.now();
  if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) {
    return { outcome: "rejected", reason: "the certificate has expired or is not valid yet" };
  }
  return callerOf(certificate);
};
