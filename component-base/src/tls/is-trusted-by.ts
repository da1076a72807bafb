import type { X509Certificate } from "node:crypto";

/** Maximum number of certificates in a chain, above that of real chains. */
const maxDepth = 8;

/**
 * Reports whether a chain of signatures leads from a certificate to one of the authorities, over those sent with it,
 * each of them valid now. For certificates that OpenSSL has accepted under earlier authorities: names and key usages
 * are not checked again.
 */
export function isTrustedBy(
  authorities: readonly X509Certificate[],
  certificate: X509Certificate,
  shown: readonly X509Certificate[],
  now: number,
): boolean {
  let current = certificate;
  for (let depth = 0; depth < maxDepth; depth++) {
    const { fingerprint256 } = current;
    const isIssuer = (candidate: X509Certificate): boolean => mayHaveIssued(candidate, current, now);
    if (authorities.some((authority) => authority.fingerprint256 === fingerprint256) || authorities.some(isIssuer)) {
      return isValidAt(current, now);
    }
    const next = shown.find((candidate) => candidate.fingerprint256 !== fingerprint256 && isIssuer(candidate));
    if (next === undefined || !isValidAt(current, now)) {
      return false;
    }
    current = next;
  }
  return false;
}

/** Reports whether a certificate is valid at a time, in milliseconds since 1970. */
function isValidAt({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return now >= Date.parse(validFrom) && now <= Date.parse(validTo);
}

function mayHaveIssued(issuer: X509Certificate, certificate: X509Certificate, now: number): boolean {
  return issuer.ca && isValidAt(issuer, now) && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
