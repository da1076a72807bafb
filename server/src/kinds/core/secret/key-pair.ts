import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";

/** What is wrong with a pair, in the words of Go's `crypto/tls`. */
class NoPair extends Error {}

interface PemBlock {
  readonly type: string;
  /** The block in whole. */
  readonly text: string;
}

/** Why a certificate and a private key, both PEM, are no pair; undefined when they are one. */
export function keyPairProblem(certificatePem: string, keyPem: string): string | undefined {
  try {
    const certificate = findCertificate(pemBlocks(certificatePem));
    const key = findKey(pemBlocks(keyPem));
    checkMatch(parseCertificate(certificate), parseKey(key));
    return undefined;
  } catch (error) {
    if (error instanceof NoPair) {
      return error.message;
    }
    throw error;
  }
}

function pemBlocks(text: string): readonly PemBlock[] {
  const blocks = /^-----BEGIN ([^\n-]*)-----\r?\n[^-]*\n-----END \1-----/gm;
  return [...text.matchAll(blocks)].map(([block, type = ""]) => ({ type, text: block }));
}

function findCertificate(blocks: readonly PemBlock[]): PemBlock {
  const found = blocks.find(({ type }) => type === "CERTIFICATE");
  if (found !== undefined) {
    return found;
  }
  const types = blocks.map(({ type }) => type);
  if (types.length === 0) {
    throw new NoPair("tls: failed to find any PEM data in certificate input");
  }
  throw new NoPair(
    types.length === 1 && types[0]?.endsWith("PRIVATE KEY")
      ? "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched"
      : `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(" ")}]`,
  );
}

function findKey(blocks: readonly PemBlock[]): PemBlock {
  const found = blocks.find(({ type }) => type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY"));
  if (found !== undefined) {
    return found;
  }
  const types = blocks.map(({ type }) => type);
  if (types.length === 0) {
    throw new NoPair("tls: failed to find any PEM data in key input");
  }
  throw new NoPair(
    types.length === 1 && types[0] === "CERTIFICATE"
      ? "tls: found a certificate rather than a key in the PEM for the private key"
      : `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(" ")}]`,
  );
}

function parseCertificate(block: PemBlock): KeyObject {
  try {
    return new X509Certificate(block.text).publicKey;
  } catch {
    throw new NoPair("x509: malformed certificate");
  }
}

function parseKey(block: PemBlock): KeyObject {
  try {
    return createPrivateKey(block.text);
  } catch {
    throw new NoPair("tls: failed to parse private key");
  }
}

function checkMatch(certified: KeyObject, key: KeyObject): void {
  if (certified.asymmetricKeyType !== key.asymmetricKeyType) {
    throw new NoPair("tls: private key type does not match public key type");
  }
  if (!createPublicKey(key).equals(certified)) {
    throw new NoPair("tls: private key does not match public key");
  }
}
