import { X509Certificate } from "node:crypto";
import { issueCertificate } from "../pki/index.js";

/** The content of the Secret that a program behind a Service serves from, as PEM. */
export interface RotatedCertificates {
  /**
   * Certificates of the present and of the previous authority, in this order, so that servers trust both while pods are
   * replaced.
   */
  readonly caBundlePem: string;
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** The names of the certificates to renew. */
export interface RenewedNames {
  /** The name of the program, for that of the authority: `gatehouse-admission`. */
  readonly program: string;
  readonly dnsNames: readonly string[];
}

const dayMs = 24 * 60 * 60 * 1000;
const lifetimeDays = 365;
const renewBeforeDays = 90;
const clockSkewMs = 5 * 60 * 1000;

/**
 * Returns the certificates to serve the names with: the stored ones while they are valid for 90 more days, otherwise
 * new ones of a new authority, whose key is not kept. `now` is in milliseconds since 1970.
 */
export async function renewCertificates(
  stored: RotatedCertificates | undefined,
  { program, dnsNames }: RenewedNames,
  now: number,
): Promise<{ readonly certificates: RotatedCertificates; readonly renewed: boolean }> {
  if (stored !== undefined && isGood(stored, dnsNames, now)) {
    return { certificates: stored, renewed: false };
  }
  const lifetime = { notBefore: new Date(now - clockSkewMs), notAfter: new Date(now + lifetimeDays * dayMs) };
  const authority = await issueCertificate({
    subject: { kind: "authority", commonName: `${program}-ca-${Math.floor(now / 1000)}` },
    ...lifetime,
  });
  const served = await issueCertificate({
    subject: { kind: "server", commonName: dnsNames[0] ?? program, dnsNames, ipAddresses: [] },
    issuer: authority,
    ...lifetime,
  });
  const [previous = ""] = certificatesOf(stored?.caBundlePem ?? "").filter((pem) => endsAfter(pem, now));
  return {
    certificates: {
      caBundlePem: `${authority.certificatePem}${previous}`,
      certificatePem: served.certificatePem,
      keyPem: served.keyPem,
    },
    renewed: true,
  };
}

function isGood(
  { certificatePem, caBundlePem }: RotatedCertificates,
  dnsNames: readonly string[],
  now: number,
): boolean {
  try {
    const served = new X509Certificate(certificatePem);
    const [authority] = certificatesOf(caBundlePem);
    return (
      authority !== undefined &&
      served.verify(new X509Certificate(authority).publicKey) &&
      Date.parse(served.validTo) > now + renewBeforeDays * dayMs &&
      dnsNames.every((name) => served.checkHost(name) !== undefined)
    );
  } catch {
    // The stored text is no certificate.
    return false;
  }
}

function certificatesOf(pem: string): string[] {
  return (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((block) => `${block}\n`);
}

function endsAfter(pem: string, now: number): boolean {
  try {
    return Date.parse(new X509Certificate(pem).validTo) > now;
  } catch {
    return false;
  }
}
