import { X509Certificate } from "node:crypto";
import { pemBlocks } from "@gatehouse/component-base/pki";
import { goQuote } from "@gatehouse/envelopes/go";

/**
 * Returns the problem of an issued certificate that is not base64 of PEM blocks of certificates only. An empty text is
 * valid.
 */
export function certificateProblem(base64: string): string | undefined {
  const text = Buffer.from(base64, "base64").toString("latin1");
  let blocks = 0;
  for (const { label, hasHeaders, der } of pemBlocks(text)) {
    if (label !== "CERTIFICATE") {
      return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(label)}`;
    }
    if (hasHeaders) {
      return "no PEM block headers are permitted";
    }
    blocks++;
    if (der.length === 0) {
      return "found CERTIFICATE PEM block containing 0 certificates";
    }
    if (!areCertificates(der)) {
      return "x509: malformed certificate";
    }
  }
  return blocks === 0 && text !== "" ? "must contain at least one CERTIFICATE PEM block" : undefined;
}

/**
 * Reports whether a PEM block is one or several certificates, one after the other, as Go allows. Node reads only the
 * first.
 */
function areCertificates(der: Buffer): boolean {
  try {
    for (let rest = der; rest.length > 0; ) {
      rest = rest.subarray(new X509Certificate(rest).raw.length);
    }
    return true;
  } catch {
    return false;
  }
}
