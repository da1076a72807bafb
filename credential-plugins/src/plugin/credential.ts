import { createPrivateKey, X509Certificate } from "node:crypto";
import type { CertificatePem } from "@gatehouse/component-base/kubeconfig";
import { CredentialError } from "./credential-error.js";
import type { ExecInfo } from "./exec-info.js";

/** Credential of a client: a bearer token, a client certificate with its key, or both. */
export interface Credential {
  readonly token?: string;
  readonly clientCertificate?: CertificatePem;
  /** Milliseconds since 1970; without it, the credential holds until the server refuses it. */
  readonly expiresAt?: number;
}

/** Throws CredentialError for a credential that no client could use. */
export function assertUsable({ token, clientCertificate, expiresAt }: Credential): void {
  if (token === undefined && clientCertificate === undefined) {
    throw new CredentialError("there is neither a token nor a certificate to answer with");
  }
  // It goes into a header as it is.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new CredentialError("the token is empty, or has characters that a header cannot carry");
  }
  if (clientCertificate !== undefined && !belongTogether(clientCertificate)) {
    throw new CredentialError("the certificate and the key cannot be read, or do not belong together");
  }
  if (expiresAt !== undefined && !(Math.abs(expiresAt) < maxTime)) {
    throw new CredentialError("the credential expires at no time that there is");
  }
}

/** Milliseconds of the year 10000, which RFC 3339 cannot write. */
const maxTime = 253_402_300_800_000;

function belongTogether({ certificatePem, keyPem }: CertificatePem): boolean {
  try {
    return new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(keyPem));
  } catch {
    return false;
  }
}

/** The answer to a client, in the version in which it has asked. `expiresAt` tells it when to ask again. */
export function formatExecCredential(
  { apiVersion, interactive }: ExecInfo,
  { token, clientCertificate, expiresAt }: Credential,
): string {
  return JSON.stringify({
    kind: "ExecCredential",
    apiVersion,
    spec: { interactive },
    status: {
      ...(expiresAt === undefined ? {} : { expirationTimestamp: rfc3339(expiresAt) }),
      ...(token === undefined ? {} : { token }),
      ...(clientCertificate === undefined
        ? {}
        : { clientCertificateData: clientCertificate.certificatePem, clientKeyData: clientCertificate.keyPem }),
    },
  });
}

/** Whole seconds, as Kubernetes writes times. */
function rfc3339(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
