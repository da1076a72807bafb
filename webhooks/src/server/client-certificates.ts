import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { PeerCertificate, TLSSocket } from "node:tls";
import type { CallerAuthenticator, CallerVerdict } from "./caller-authentication.js";

/** Which client certificates are believed. */
export interface ClientCertificateOptions {
  /** Common names that may call. Default: any certificate that an authority of the TLS server has signed. */
  readonly allowedNames?: readonly string[];
  /** The present in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

interface Known {
  readonly verdict: CallerVerdict;
  readonly from: number;
  readonly until: number;
}

/**
 * Believes callers by the client certificate of their TLS connection. The server must ask for one (`requestCert`) and
 * know the authorities (`ca`); a connection without TLS or certificate gets no opinion. The dates are looked at with
 * each call, since a connection may outlive its certificate.
 */
export function clientCertificates(options: ClientCertificateOptions = {}): CallerAuthenticator {
  const { now = Date.now } = options;
  const allowed = options.allowedNames === undefined ? undefined : new Set(options.allowedNames);
  const known = new WeakMap<Socket, Known>();
  return {
    authenticate(request) {
      const { socket } = request;
      let found = known.get(socket);
      if (found === undefined) {
        found = judge(request, allowed);
        known.set(socket, found);
      }
      const time = now();
      return time >= found.from && time <= found.until ? found.verdict : outOfDate;
    },
  };
}

const outOfDate: CallerVerdict = Object.freeze({
  outcome: "rejected",
  reason: "the client certificate has expired or is not yet valid",
});

function judge(request: IncomingMessage, allowed: ReadonlySet<string> | undefined): Known {
  const socket = request.socket as TLSSocket;
  // An empty object stands for no certificate, whatever the types say.
  const certificate: Partial<PeerCertificate> | undefined = socket.getPeerCertificate?.();
  if (certificate?.raw === undefined) {
    return always({ outcome: "noOpinion" });
  }
  if (!socket.authorized) {
    return always({
      outcome: "rejected",
      reason: "no authority that is trusted here has signed the client certificate",
    });
  }
  // Of several common names the last one counts, as for Go. Node shows a list then.
  const name = [certificate.subject?.CN ?? []].flat().at(-1) ?? "";
  const verdict: CallerVerdict =
    allowed === undefined || allowed.has(name)
      ? { outcome: "accepted", name }
      : { outcome: "rejected", reason: "the name in the client certificate is none of those that may call" };
  return { verdict, from: Date.parse(certificate.valid_from ?? ""), until: Date.parse(certificate.valid_to ?? "") };
}

function always(verdict: CallerVerdict): Known {
  return { verdict, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
}
