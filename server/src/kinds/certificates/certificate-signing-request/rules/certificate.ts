import { X509Certificate } from "node:crypto";
import { goQuote } from "@gatehouse/envelopes";
import { pemBlocks } from "../../../../rules/pem.js";

/** What is wrong with an issued certificate: base64 of PEM blocks that hold certificates only. None is fine. */
export function certificateProblem(base64: string): string | undefined {
  const text = Buffer.from(base64, "base64").toString("latin1");
  let blocks = 0;
  for (const { type, hasHeaders, bytes } of pemBlocks(text)) {
    if (type !== "CERTIFICATE") {
      return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    }
    if (hasHeaders) {
      return "no PEM block headers are permitted";
    }
    blocks++;
    if (bytes.length === 0) {
      return "found CERTIFICATE PEM block containing 0 certificates";
    }
    if (!isCertificate(bytes)) {
      return "x509: malformed certificate";
    }
  }
  return blocks === 0 && text !== "" ? "must contain at least one CERTIFICATE PEM block" : undefined;
}

function isCertificate(der: Buffer): boolean {
  try {
    new X509Certificate(der);
    return true;
  } catch {
    return false;
  }
}
