import { X509Certificate } from "node:crypto";

/** The certificates in PEM text; what cannot be read is passed over. */
export function certificatesOf(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
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
