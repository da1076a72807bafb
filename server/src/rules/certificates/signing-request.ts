import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { pemBlocks } from "@gatehouse/component-base";
import { type DerElement, DerError, derTags, readElement, readElements } from "./der.js";

/** How a request may be signed: by a key of that type, over a digest. */
interface SignatureAlgorithm {
  readonly keyType: string;
  readonly digest: string | null;
}

/** By the bytes of the object identifier, as hex (RFC 8017, 5758, 8410). */
const algorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ["2a864886f70d010104", { keyType: "rsa", digest: "md5" }],
  ["2a864886f70d010105", { keyType: "rsa", digest: "sha1" }],
  ["2a864886f70d01010b", { keyType: "rsa", digest: "sha256" }],
  ["2a864886f70d01010c", { keyType: "rsa", digest: "sha384" }],
  ["2a864886f70d01010d", { keyType: "rsa", digest: "sha512" }],
  ["2a8648ce3d0401", { keyType: "ec", digest: "sha1" }],
  ["2a8648ce3d040302", { keyType: "ec", digest: "sha256" }],
  ["2a8648ce3d040303", { keyType: "ec", digest: "sha384" }],
  ["2a8648ce3d040304", { keyType: "ec", digest: "sha512" }],
  ["2b6570", { keyType: "ed25519", digest: null }],
]);

/** Names of key types, in Go and in its errors. */
const goKeys: Readonly<Record<string, readonly [name: string, type: string, failure: string]>> = {
  rsa: ["RSA", "*rsa.PublicKey", "crypto/rsa: verification error"],
  ec: ["ECDSA", "*ecdsa.PublicKey", "x509: ECDSA verification failure"],
  ed25519: ["Ed25519", "ed25519.PublicKey", "x509: Ed25519 verification failure"],
};

const unsupported = "x509: cannot verify signature: algorithm unimplemented";

/** What is wrong with a PEM-encoded PKCS#10 request, whose signature proves that who asks has the key; undefined when it is fine. */
export function signingRequestProblem(pem: Buffer): string | undefined {
  const { value: block } = pemBlocks(pem.toString("latin1")).next();
  if (block?.label !== "CERTIFICATE REQUEST") {
    return "PEM block type must be CERTIFICATE REQUEST";
  }
  try {
    return requestProblem(block.der);
  } catch (error) {
    if (error instanceof DerError) {
      return error.message;
    }
    throw error;
  }
}

const organization = "55040a";

/** The organizations that the subject of a request names, in order. The request must have been checked. */
export function organizationsOf(pem: Buffer): readonly string[] {
  const { value: block } = pemBlocks(pem.toString("latin1")).next();
  const request = elementsOf(block?.der ?? Buffer.alloc(0))[0];
  const info = request === undefined ? undefined : elementsOf(request.content)[0];
  const subject = info === undefined ? undefined : elementsOf(info.content)[1];
  const attributes = elementsOf(subject?.content).flatMap((set) => elementsOf(set.content));
  return attributes.flatMap(({ content }) => {
    const [identifier, value] = elementsOf(content);
    return identifier?.content.toString("hex") === organization && value !== undefined ? [textOf(value)] : [];
  });
}

function elementsOf(content: Buffer | undefined): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let rest = content ?? Buffer.alloc(0); rest.length > 0; ) {
    const next = readElement(rest);
    elements.push(next.element);
    rest = next.rest;
  }
  return elements;
}

/** The text of an attribute: UTF-8 covers all sorts of strings but one. */
function textOf({ tag, content }: DerElement): string {
  return tag === derTags.bmpString ? Buffer.from(content).swap16().toString("utf16le") : content.toString("utf8");
}

function requestProblem(der: Buffer): string | undefined {
  const { element, rest } = readElement(der);
  if (element.tag !== derTags.sequence) {
    readElements(der, [derTags.sequence], "certificateRequest");
  }
  const [info, algorithm, signature] = readElements(
    element.content,
    [derTags.sequence, derTags.sequence, derTags.bitString],
    "certificateRequest",
  ) as [DerElement, DerElement, DerElement];
  const [, , key] = readElements(
    info.content,
    [derTags.integer, derTags.sequence, derTags.sequence, derTags.attributes],
    "tbsCertificateRequest",
  ) as [DerElement, DerElement, DerElement, DerElement];
  if (rest.length > 0) {
    return "asn1: syntax error: trailing data";
  }
  const [identifier] = readElements(algorithm.content, [derTags.objectIdentifier], "AlgorithmIdentifier");
  return signatureProblem(
    identifier?.content.toString("hex") ?? "",
    info.whole,
    key.whole,
    signature.content.subarray(1),
  );
}

function signatureProblem(algorithm: string, signed: Buffer, key: Buffer, signature: Buffer): string | undefined {
  const used = algorithms.get(algorithm);
  if (used === undefined) {
    return unsupported;
  }
  if (used.digest === "md5") {
    return "x509: cannot verify signature: insecure algorithm MD5-RSA";
  }
  const publicKey = publicKeyOf(key);
  const keyType = publicKey?.asymmetricKeyType;
  const [, goType, failure] = goKeys[keyType ?? ""] ?? [];
  if (publicKey === undefined || goType === undefined) {
    return unsupported;
  }
  if (keyType !== used.keyType) {
    return `x509: signature algorithm specifies an ${goKeys[used.keyType]?.[0]} public key, but have public key of type ${goType}`;
  }
  return verify(used.digest, signed, publicKey, signature) ? undefined : failure;
}

function publicKeyOf(der: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    return undefined;
  }
}
