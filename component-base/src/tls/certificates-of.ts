import { X509Certificate } from "node:crypto";
import { pemBlocks } from "../pki/pem-blocks.js";

/** The certificates in PEM text; what cannot be read is passed over. */
export function certificatesOf(pem: string): readonly X509Certificate[] {
  return certificateBlocks(pem).flatMap((der) => {
    try {
      return [certificateOf(der)];
    } catch {
      return [];
    }
  });
}

/** The certificates in a file of authorities. Throws when there is none, or one that cannot be read. */
export function authoritiesOf(pem: string): readonly X509Certificate[] {
  const certificates = certificateBlocks(pem).map((der, index) => {
    try {
      return certificateOf(der);
    } catch {
      throw new Error(`certificate ${index + 1} cannot be read`);
    }
  });
  if (certificates.length === 0) {
    throw new Error("holds no certificate");
  }
  return certificates;
}

/** The certificate in DER form. Throws when it is none, or there is more than it. */
export function certificateOf(der: Buffer): X509Certificate {
  const certificate = new X509Certificate(der);
  if (certificate.raw.length !== der.length) {
    throw new Error("there are bytes after the certificate");
  }
  return certificate;
}

/** Blocks with headers are none, as in v1.29. */
function certificateBlocks(pem: string): readonly Buffer[] {
  return [...pemBlocks(pem)]
    .filter(({ label, hasHeaders }) => label === "CERTIFICATE" && !hasHeaders)
    .map(({ der }) => der);
}

/** The certificates that a peer has shown besides its own, from the issuer on; eight at most. */
export function certificatesShownWith(certificate: X509Certificate): readonly X509Certificate[] {
  const shown: X509Certificate[] = [];
  for (
    let next = certificate.issuerCertificate;
    next !== undefined && shown.length < 8;
    next = next.issuerCertificate
  ) {
    shown.push(next);
  }
  return shown;
}
