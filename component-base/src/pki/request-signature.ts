import { constants, createPublicKey, type KeyObject, verify } from "node:crypto";
import { type DerElement, DerError, derTags, readElements, readObjectIdentifier, writeElement } from "./der.js";

/** A way to sign a request: by a key of that type, over a digest. */
interface SignatureAlgorithm {
  readonly keyType: "rsa" | "ec" | "ed25519";
  readonly digest: string | null;
  readonly isPss?: boolean;
}

/** The algorithms by identifier (RFC 8017, 5758, 8410). */
const algorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ["1.2.840.113549.1.1.4", { keyType: "rsa", digest: "md5" }],
  ["1.2.840.113549.1.1.5", { keyType: "rsa", digest: "sha1" }],
  ["1.2.840.113549.1.1.11", { keyType: "rsa", digest: "sha256" }],
  ["1.2.840.113549.1.1.12", { keyType: "rsa", digest: "sha384" }],
  ["1.2.840.113549.1.1.13", { keyType: "rsa", digest: "sha512" }],
  ["1.2.840.10045.4.1", { keyType: "ec", digest: "sha1" }],
  ["1.2.840.10045.4.3.2", { keyType: "ec", digest: "sha256" }],
  ["1.2.840.10045.4.3.3", { keyType: "ec", digest: "sha384" }],
  ["1.2.840.10045.4.3.4", { keyType: "ec", digest: "sha512" }],
  ["1.3.101.112", { keyType: "ed25519", digest: null }],
]);

const pss = "1.2.840.113549.1.1.10";
/** Last octets of the digests' identifiers (2.16.840.1.101.3.4.2.x) and lengths of the salt, which is that of the digest. */
const pssDigests = [
  ["sha256", "01", "20"],
  ["sha384", "02", "30"],
  ["sha512", "03", "40"],
] as const;
let knownParameters: ReadonlyMap<string, SignatureAlgorithm> | undefined;

/**
 * Returns the algorithms by the parameters that Go accepts (RFC 8017, appendix A.2.3): digest and mask agree, the salt is as
 * long as the digest. The parameters of a digest and the trailer field may be written out, or not. They are put together for
 * the first such request, since every server loads this file at its start.
 */
function pssParameters(): ReadonlyMap<string, SignatureAlgorithm> {
  knownParameters ??= new Map(
    pssDigests.flatMap(([digest, identifier, salt]) =>
      writtenParameters(identifier, salt).map((parameters): [string, SignatureAlgorithm] => [
        parameters,
        { keyType: "rsa", digest, isPss: true },
      ]),
    ),
  );
  return knownParameters;
}

function writtenParameters(identifier: string, salt: string): readonly string[] {
  const hashes = ["", "0500"].map((none) => sequence(`06096086480165030402${identifier}${none}`));
  const trailers = ["", explicit(3, "020101")];
  return hashes.flatMap((hash) =>
    hashes.flatMap((ofMask) =>
      trailers.map((trailer) => {
        const mask = sequence(`06092a864886f70d010108${ofMask}`);
        return sequence(explicit(0, hash) + explicit(1, mask) + explicit(2, `0201${salt}`) + trailer);
      }),
    ),
  );
}

function sequence(content: string): string {
  return element(derTags.sequence, content);
}

/** Writes a member with a tag of its own. */
function explicit(member: number, content: string): string {
  return element(0xa0 + member, content);
}

/** Writes an element in hexadecimal. */
function element(tag: number, content: string): string {
  return writeElement(tag, Buffer.from(content, "hex")).toString("hex");
}

const unsupported = "x509: cannot verify signature: algorithm unimplemented";

/** Names of key types in Go, and its errors. */
const goKeys = {
  rsa: { name: "RSA", type: "*rsa.PublicKey", failure: "crypto/rsa: verification error" },
  ec: { name: "ECDSA", type: "*ecdsa.PublicKey", failure: "x509: ECDSA verification failure" },
  ed25519: { name: "Ed25519", type: "ed25519.PublicKey", failure: "x509: Ed25519 verification failure" },
} as const;

const curves: ReadonlyMap<string, string> = new Map([
  ["1.3.132.0.33", "P224"],
  ["1.2.840.10045.3.1.7", "P256"],
  ["1.3.132.0.34", "P384"],
  ["1.3.132.0.35", "P521"],
]);
const ecPublicKey = "1.2.840.10045.2.1";

/** Reads the public key of a request; undefined for a type that Go does not know. Throws DerError. */
export function readRequestKey(info: DerElement): KeyObject | undefined {
  const [algorithm, bits] = readElements(info.content, [derTags.sequence, derTags.bitString], "publicKeyInfo");
  const [identifier] = readElements(algorithm.content, [derTags.objectIdentifier], "AlgorithmIdentifier");
  if (algorithm.whole.length + bits.whole.length < info.content.length) {
    throw new DerError("there are bytes after the public key");
  }
  const isEc = readObjectIdentifier(identifier.content) === ecPublicKey;
  const curve = isEc ? curveOf(algorithm, identifier, bits) : "";
  const key = publicKeyOf(info.whole);
  if (isEc && key === undefined) {
    throw new DerError(`${curve} point not on curve`);
  }
  return key;
}

/** Reads the name of the curve. Points must be written out: OpenSSL reads others, too, and Go refuses them. */
function curveOf(algorithm: DerElement, identifier: DerElement, bits: DerElement): string {
  const parameters = algorithm.content.subarray(identifier.whole.length);
  const [curve] = readElements(parameters, [derTags.objectIdentifier], "ObjectIdentifier");
  const name = curves.get(readObjectIdentifier(curve.content));
  if (name === undefined) {
    throw new DerError("x509: unsupported elliptic curve");
  }
  if (bits.content[1] !== 4) {
    throw new DerError("ecdsa: invalid uncompressed public key");
  }
  return name;
}

function publicKeyOf(der: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    return (key.asymmetricKeyType ?? "") in goKeys ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Finds out what is wrong with a signature over `signed`, in Go's words; undefined when it is good. */
export function signatureProblem(
  signed: Buffer,
  algorithm: DerElement,
  signature: Buffer,
  key: KeyObject | undefined,
): string | undefined {
  const used = algorithmOf(algorithm);
  if (used === undefined) {
    return unsupported;
  }
  if (used.digest === "md5") {
    return "x509: cannot verify signature: insecure algorithm MD5-RSA";
  }
  if (key === undefined) {
    return unsupported;
  }
  const goKey = goKeys[key.asymmetricKeyType as keyof typeof goKeys];
  if (key.asymmetricKeyType !== used.keyType) {
    return `x509: signature algorithm specifies an ${goKeys[used.keyType].name} public key, but have public key of type ${goKey.type}`;
  }
  const padding = used.isPss
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {};
  return verify(used.digest, signed, { key, ...padding }, signature) ? undefined : goKey.failure;
}

function algorithmOf({ content }: DerElement): SignatureAlgorithm | undefined {
  const [identifier] = readElements(content, [derTags.objectIdentifier], "AlgorithmIdentifier");
  const name = readObjectIdentifier(identifier.content);
  return name === pss
    ? pssParameters().get(content.subarray(identifier.whole.length).toString("hex"))
    : algorithms.get(name);
}
