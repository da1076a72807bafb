import { createSecureContext, type SecureContext } from "node:tls";
import type { CallTls } from "../credentials/call-tls.js";
import { certificatesOf } from "../tls/certificates-of.js";

/**
 * Returns the TLS context of connections with the same authorities and client certificate. Throws for material that cannot
 * be used. Parsing the authorities costs more than a handshake, so one context serves many connections.
 */
export function secureContextOf({ certificateAuthorityPem, clientCertificate }: CallTls): SecureContext {
  return createSecureContext({
    minVersion: "TLSv1.2",
    // Whatever the bundle holds is trusted, be it an authority or not, as Go takes it.
    allowPartialTrustChain: true,
    // Written anew: OpenSSL would find blocks that everybody else passes over.
    ...(certificateAuthorityPem === undefined ? {} : { ca: certificatesOf(certificateAuthorityPem).map(String) }),
    ...(clientCertificate === undefined
      ? {}
      : { cert: clientCertificate.certificatePem, key: clientCertificate.keyPem }),
  });
}
