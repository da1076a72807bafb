export type { CertificateCaller, IdentifyCaller } from "./caller-certificates.js";
export { authoritiesOf, certificateOf, certificatesOf, certificatesShownWith } from "./certificates-of.js";
export {
  type AskForCertificate,
  type HttpsServerOptions,
  type HttpsServing,
  type HttpsServingOptions,
  openHttpsServing,
} from "./https-serving.js";
export { type NamedCertificate, type NamedCertificates, openNamedCertificates } from "./named-certificates.js";
export { keepUntrustedPeer, peerCertificateOf } from "./peer-certificate.js";
export { readAuthoritiesAhead } from "./read-authorities-ahead.js";
export {
  type CertificateFiles,
  openReloadingCertificates,
  type ReloadingCertificates,
  type ReloadingCertificatesOptions,
  type SecureContextHolder,
  type ServingCertificates,
} from "./reloading-certificates.js";
export {
  type ClientVerificationOptions,
  type ConcludeConnection,
  type VerifiedCertificate,
  verifyClients,
} from "./verify-clients.js";
