import type { CertificatePem } from "../kubeconfig/client-config.js";

/** What TLS needs to know for a call: who may be trusted, and who the caller is. */
export interface CallTls {
  readonly certificateAuthorityPem?: string;
  readonly clientCertificate?: CertificatePem;
}
