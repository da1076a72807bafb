import type { X509Certificate } from "node:crypto";
import { loadAsn1 } from "../pki/asn1.js";

/** The parts of a certificate that decide where it may stand in a chain, and that Node does not tell. */
export interface IssuerFacts {
  /**
   * True if its key may sign certificates: an authority by its basic constraints, and by its key usage if it has one.
   */
  readonly maySign: boolean;
  /** Most intermediates that may stand between it and the first certificate; `undefined`: any number. */
  readonly pathLength: number | undefined;
  /** True if a critical extension is not handled here, or an extension occurs twice. */
  readonly hasUnhandledExtension: boolean;
  /** Object identifier of the algorithm by which it is signed. */
  readonly signatureAlgorithm: string;
}

/**
 * Loads what reads them, and returns the reader. It throws for what is not a certificate. Most processes never need it:
 * OpenSSL's verdict is asked first.
 */
export async function loadIssuerFacts(): Promise<(certificate: X509Certificate) => IssuerFacts> {
  const { AsnConvert, x509 } = await loadAsn1();
  const handled: ReadonlySet<string> = new Set([
    x509.id_ce_basicConstraints,
    x509.id_ce_keyUsage,
    x509.id_ce_extKeyUsage,
    x509.id_ce_subjectAltName,
    x509.id_ce_certificatePolicies,
  ]);
  // These restrict what is below an authority even where they are not marked as critical.
  const neverHandled: ReadonlySet<string> = new Set([
    x509.id_ce_nameConstraints,
    x509.id_ce_policyConstraints,
    x509.id_ce_inhibitAnyPolicy,
  ]);
  return ({ raw, ca }) => {
    const { tbsCertificate, signatureAlgorithm } = AsnConvert.parse(raw, x509.Certificate);
    const extensions = tbsCertificate.extensions ?? [];
    const extensionValue = (id: string) => extensions.find(({ extnID }) => extnID === id)?.extnValue;
    const usage = extensionValue(x509.id_ce_keyUsage);
    const constraints = extensionValue(x509.id_ce_basicConstraints);
    const mayUseKey =
      usage === undefined || (AsnConvert.parse(usage, x509.KeyUsage).toNumber() & x509.KeyUsageFlags.keyCertSign) !== 0;
    return {
      maySign: ca && mayUseKey,
      pathLength:
        constraints === undefined ? undefined : AsnConvert.parse(constraints, x509.BasicConstraints).pathLenConstraint,
      hasUnhandledExtension:
        new Set(extensions.map(({ extnID }) => extnID)).size !== extensions.length ||
        extensions.some(({ extnID, critical }) => neverHandled.has(extnID) || (critical && !handled.has(extnID))),
      signatureAlgorithm: signatureAlgorithm.algorithm,
    };
  };
}
