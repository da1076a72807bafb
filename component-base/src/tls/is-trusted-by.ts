import type { X509Certificate } from "node:crypto";

/** As many certificates as chains have, generously. */
const maxDepth = 8;

/**
 * Whether a chain of signatures leads from a certificate to one of the authorities, over those that were shown with it,
 * each of them valid now. For certificates that OpenSSL has found good under earlier authorities: names and uses are not
 * looked at again.
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

/** Whether a certificate is valid at a time, in milliseconds since 1970. */
function isValidAt({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return now >= Date.parse(validFrom) && now <= Date.parse(validTo);
}

function mayHaveIssued(issuer: X509Certificate, certificate: X509Certificate, now: number): boolean {
  return issuer.ca && isValidAt(issuer, now) && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
