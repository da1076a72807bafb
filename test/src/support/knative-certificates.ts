import { KeyObject, type webcrypto } from "node:crypto";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";

/** A server's certificate and key, and the authority that has signed it, as PEM. */
export interface KnativeCertificates {
  readonly authorityPem: string;
  readonly certificatePem: string;
  readonly keyPem: string;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const name = "O=knative.dev, CN=webhook.knative-serving.svc";

/**
 * Makes certificates for a server on 127.0.0.1 as knative's controllers make them for their webhooks: authority and server
 * bear one name, and for that reason Go states no identifier of the authority's key.
 */
export async function knativeCertificates(): Promise<KnativeCertificates> {
  const [authorityKeys, serverKeys] = await Promise.all([generateKeys(), generateKeys()]);
  const authority = await certify(authorityKeys.publicKey, authorityKeys.privateKey, [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign, true),
    await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
  ]);
  const server = await certify(serverKeys.publicKey, authorityKeys.privateKey, [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }]),
  ]);
  return {
    authorityPem: `${authority.toString("pem").trim()}\n`,
    certificatePem: `${server.toString("pem").trim()}\n`,
    keyPem: KeyObject.from(serverKeys.privateKey).export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as webcrypto.CryptoKeyPair;
}

function certify(publicKey: webcrypto.CryptoKey, signingKey: webcrypto.CryptoKey, extensions: x509.Extension[]) {
  const usages = [x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth];
  return x509.X509CertificateGenerator.create({
    subject: name,
    issuer: name,
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 3_600_000),
    publicKey,
    signingKey,
    signingAlgorithm: algorithm,
    extensions: [...extensions, new x509.ExtendedKeyUsageExtension(usages)],
  });
}
