import { createSecureContext, type SecureContext } from "node:tls";
import type { CallTls } from "../credentials/call-tls.js";
import { certificatesOf } from "../tls/certificates-of.js";
import { readSystemAuthorities } from "../tls/system-authorities.js";

/** The context of calls to servers that the machine trusts, by a caller without a certificate: made once. */
let ofSystem: SecureContext | undefined;
let systemAuthorities: readonly string[] | undefined;

/**
 * Returns the TLS context of connections with the same authorities and client certificate: without authorities, those of this
 * machine, unless certificates are not verified. Throws for material that cannot be used. Parsing the authorities costs more than a
 * handshake, so one context serves many connections.
 */
export function secureContextOf(
  { certificateAuthorityPem, clientCertificate }: CallTls,
  { verifies = true }: { readonly verifies?: boolean } = {},
): SecureContext {
  if (certificateAuthorityPem === undefined && clientCertificate === undefined && verifies) {
    ofSystem ??= contextOf(authoritiesOfSystem(), undefined);
    return ofSystem;
  }
  const given = authoritiesGiven(certificateAuthorityPem);
  return contextOf(given ?? (verifies ? authoritiesOfSystem() : undefined), clientCertificate);
}

/** Throws for material that cannot be used. What this machine trusts is not read before a connection needs it. */
export function assertUsable({ certificateAuthorityPem, clientCertificate }: CallTls): void {
  if (certificateAuthorityPem !== undefined || clientCertificate !== undefined) {
    contextOf(authoritiesGiven(certificateAuthorityPem), clientCertificate);
  }
}

/** Returns certificates written anew: OpenSSL would find blocks that everybody else passes over. */
function authoritiesGiven(pem: string | undefined): readonly string[] | undefined {
  return pem === undefined ? undefined : certificatesOf(pem).map(String);
}

function contextOf(ca: readonly string[] | undefined, clientCertificate: CallTls["clientCertificate"]): SecureContext {
  return createSecureContext({
    minVersion: "TLSv1.2",
    // Whatever the bundle holds is trusted, be it an authority or not, as Go takes it.
    allowPartialTrustChain: true,
    ...(ca === undefined ? {} : { ca: [...ca] }),
    ...(clientCertificate === undefined
      ? {}
      : { cert: clientCertificate.certificatePem, key: clientCertificate.keyPem }),
  });
}

/** Returns the authorities of this machine, read once; undefined for those that come with Node.js. */
function authoritiesOfSystem(): readonly string[] | undefined {
  systemAuthorities ??= readSystemAuthorities();
  return systemAuthorities.length === 0 ? undefined : systemAuthorities;
}
