import { readFile } from "node:fs/promises";
import { writeFileAtomic } from "../files/write-file-atomic.js";
import { certificateUnfitness } from "./certificate-fitness.js";
import type { PrivateKeyType } from "./generate-private-key.js";
import { type CertificateAndKey, type CertificateSubject, issueCertificate } from "./issue-certificate.js";

const dayMs = 24 * 60 * 60 * 1000;

/** A certificate that ends sooner than this is replaced. */
const renewBeforeMs = 30 * dayMs;

/** Clocks of other machines may be a little behind; for them, too, the certificate must have begun. */
const clockSkewMs = 5 * 60 * 1000;

const lifetimeDays: Readonly<Record<CertificateSubject["kind"], number>> = {
  authority: 3650,
  server: 365,
  client: 365,
};

/** The certificate that is wanted, and the PEM files in which it is kept. */
export interface EnsureCertificateOptions {
  readonly subject: CertificateSubject;
  /** The authority that signs; left out for an authority, which signs itself. */
  readonly issuer?: CertificateAndKey;
  /** Type of the key; a stored key of another type is replaced. Default: `ec` for a new key, and any that is stored. */
  readonly keyType?: PrivateKeyType;
  readonly certFile: string;
  /** Written with mode 0600. */
  readonly keyFile: string;
  /** The present in milliseconds since 1970; `Date.now` when not given. */
  readonly now?: () => number;
}

/** A certificate that serves, stored before or made now. */
export interface EnsuredCertificate extends CertificateAndKey {
  /** Reason why the certificate had to be made; `undefined` when the stored one serves. */
  readonly issuedBecause: string | undefined;
  /** True if a certificate was stored that does not serve any longer. */
  readonly replaced: boolean;
}

/**
 * Returns the stored certificate if it has its key, of the wanted type, is valid for 30 days more, was signed by `issuer` and
 * covers the subject with all its names; makes and stores a new one otherwise. Only one process may do so for a file at a time.
 */
export async function ensureCertificate(options: EnsureCertificateOptions): Promise<EnsuredCertificate> {
  const now = (options.now ?? Date.now)();
  const { subject, issuer, keyType } = options;
  const wantedKey = keyType === undefined ? {} : { keyType };
  const stored = await readStored(options);
  const unfitness =
    stored === undefined
      ? "there is none"
      : certificateUnfitness(stored, {
          subject,
          ...wantedKey,
          validUntil: new Date(now + renewBeforeMs),
          ...(issuer === undefined ? {} : { issuerPem: issuer.certificatePem }),
        });
  if (stored !== undefined && unfitness === undefined) {
    return { ...stored, issuedBecause: undefined, replaced: false };
  }
  const issued = await issueCertificate({
    subject,
    ...wantedKey,
    ...(issuer === undefined ? {} : { issuer }),
    notBefore: new Date(now - clockSkewMs),
    notAfter: new Date(now + lifetimeDays[subject.kind] * dayMs),
  });
  // The key first: a crash in between leaves a pair that does not match, which the next start replaces.
  await writeFileAtomic(options.keyFile, issued.keyPem, { mode: 0o600 });
  await writeFileAtomic(options.certFile, issued.certificatePem, { mode: 0o644 });
  return { ...issued, issuedBecause: unfitness, replaced: stored !== undefined };
}

async function readStored(files: {
  readonly certFile: string;
  readonly keyFile: string;
}): Promise<CertificateAndKey | undefined> {
  const [certificatePem, keyPem] = await Promise.all([readIfThere(files.certFile), readIfThere(files.keyFile)]);
  return certificatePem === undefined || keyPem === undefined ? undefined : { certificatePem, keyPem };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}
