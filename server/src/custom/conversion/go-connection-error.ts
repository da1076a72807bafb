import type { HttpClientError } from "@gatehouse/component-base";

/** Why a webhook has not answered, in the words that Go has for it where they are known. */
export function goConnectionError({ failure, message, cause }: HttpClientError, url: string): string {
  if (failure === "timeout") {
    return "context deadline exceeded";
  }
  if (failure === "aborted") {
    return "context canceled";
  }
  const code = causeCode(cause);
  const { host, hostname, port } = new URL(url);
  switch (code) {
    case "ECONNREFUSED":
      return `dial tcp ${hostname}:${port === "" ? 443 : port}: connect: connection refused`;
    case "ENOTFOUND":
      return `dial tcp: lookup ${hostname}: no such host`;
    case "ECONNRESET":
      return "EOF";
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
      return "tls: failed to verify certificate: x509: certificate signed by unknown authority";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `tls: failed to verify certificate: x509: certificate is not valid for ${host}`;
    default:
      return message;
  }
}

function causeCode(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}
