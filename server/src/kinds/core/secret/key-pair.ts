import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { type PemBlock, pemBlocks, privateKeyOf } from "@gatehouse/component-base/pki";

/** An error with the message of Go's `crypto/tls` for a certificate and key that do not form a pair. */
class KeyPairError extends Error {}

/**
 * Returns the message of Go's `crypto/tls` for a certificate and private key, both PEM, that do not form a pair;
 * undefined if they do.
 */
export function keyPairProblem(certificatePem: string, keyPem: string): string | undefined {
  try {
    const certificate = findCertificate([...pemBlocks(certificatePem)]);
    const key = findKey([...pemBlocks(keyPem)]);
    checkMatch(parseCertificate(certificate), parseKey(key));
    return undefined;
  } catch (error) {
    if (error instanceof KeyPairError) {
      return error.message;
    }
    throw error;
  }
}

function findCertificate(blocks: readonly PemBlock[]): PemBlock {
  const found = blocks.find(({ label }) => label === "CERTIFICATE");
  if (found !== undefined) {
    return found;
  }
  const labels = blocks.map(({ label }) => label);
  if (labels.length === 0) {
    throw new KeyPairError("tls: failed to find any PEM data in certificate input");
  }
  throw new KeyPairError(
    labels.length === 1 && labels[0]?.endsWith("PRIVATE KEY")
      ? "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched"
      : `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${labels.join(" ")}]`,
  );
}

function findKey(blocks: readonly PemBlock[]): PemBlock {
  const found = blocks.find(({ label }) => label === "PRIVATE KEY" || label.endsWith(" PRIVATE KEY"));
  if (found !== undefined) {
    return found;
  }
  const labels = blocks.map(({ label }) => label);
  if (labels.length === 0) {
    throw new KeyPairError("tls: failed to find any PEM data in key input");
  }
  throw new KeyPairError(
    labels.length === 1 && labels[0] === "CERTIFICATE"
      ? "tls: found a certificate rather than a key in the PEM for the private key"
      : `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${labels.join(" ")}]`,
  );
}

function parseCertificate(block: PemBlock): KeyObject {
  const certificate = certificateIn(block);
  if (certificate.raw.length < block.der.length) {
    throw new KeyPairError("x509: trailing data");
  }
  return certificate.publicKey;
}

function certificateIn(block: PemBlock): X509Certificate {
  try {
    return new X509Certificate(block.der);
  } catch {
    throw new KeyPairError("x509: malformed certificate");
  }
}

function parseKey(block: PemBlock): KeyObject {
  const found = privateKeyOf(block.der);
  if (found === undefined) {
    throw new KeyPairError("tls: failed to parse private key");
  }
  return found.key;
}

function checkMatch(certified: KeyObject, key: KeyObject): void {
  if (certified.asymmetricKeyType !== key.asymmetricKeyType) {
    throw new KeyPairError("tls: private key type does not match public key type");
  }
  if (!createPublicKey(key).equals(certified)) {
    throw new KeyPairError("tls: private key does not match public key");
  }
}
