import "reflect-metadata"; // before the X.509 library, whose container looks for it
import { createPrivateKey } from "node:crypto";
import type { CertificateAndKey } from "@gatehouse/component-base/pki";
import { ExtendedKeyUsageExtension, X509Certificate, X509CertificateGenerator } from "@peculiar/x509";

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Issues a certificate for `user` that does not name the key of its authority, as Go writes one whose subject is that of
 * its authority. `usage` is the object identifier of its extended key usage.
 */
export async function issueWithoutKeyIdentifier(
  user: string,
  issuer: CertificateAndKey,
  usage: string,
): Promise<CertificateAndKey> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const issuerKey = createPrivateKey(issuer.keyPem).export({ type: "pkcs8", format: "der" });
  const made = await X509CertificateGenerator.create({
    subject: `CN=${user}`,
    issuer: new X509Certificate(issuer.certificatePem).subjectName,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
    publicKey: keys.publicKey,
    signingKey: await crypto.subtle.importKey("pkcs8", issuerKey, algorithm, false, ["sign"]),
    signingAlgorithm: algorithm,
    extensions: [new ExtendedKeyUsageExtension([usage])],
  });
  const key = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  const keyPem = createPrivateKey({ key, type: "pkcs8", format: "der" }).export({ type: "pkcs8", format: "pem" });
  return { certificatePem: made.toString("pem"), keyPem: String(keyPem) };
}
