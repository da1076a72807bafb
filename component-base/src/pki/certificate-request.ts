import type { KeyObject } from "node:crypto";
import { CertificateRequestError } from "../errors.js";
import { type AlternativeNames, alternativeNamesExtension, readAlternativeNames } from "./alternative-names.js";
import { type DerElement, DerError, derTags, readAll, readElement, readElements, readObjectIdentifier } from "./der.js";
import { commonNameOf, type NameAttribute, organizationsOf, plainStrings, readName } from "./distinguished-name.js";
import { pemBlocks } from "./pem-blocks.js";
import { readRequestKey, signatureProblem } from "./request-signature.js";

/**
 * A request for a certificate (PKCS#10, RFC 2986), read and with its signature verified. Whoever decides on a request and
 * whoever signs it use this value, never the text again, so that no two of them can read different things.
 */
export interface CertificateRequest extends AlternativeNames {
  readonly subject: readonly NameAttribute[];
  /** The last common name of the subject, as in Go; empty without one. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The key whose owner has signed the request. */
  readonly publicKey: KeyObject;
}

/** Room for some two thousand names. Larger ones would keep the event loop busy. */
const maxBytes = 64 * 1024;
/**
 * Maximum number of attributes in a subject, above the groups of any user. Writing so many takes some tens of
 * milliseconds.
 */
const maxAttributes = 250;
const label = "CERTIFICATE REQUEST";
const extensionRequest = "1.2.840.113549.1.9.14";
const noNames: AlternativeNames = { dnsNames: [], emailAddresses: [], ipAddresses: [], uris: [] };

/**
 * Reads a request in PEM text. Throws CertificateRequestError: for whatever v1.29 refuses, and for what programs read
 * differently, which are several blocks, text around the block in which a program could see a part of one, headers, and a
 * subject of other strings than UTF8String, PrintableString and IA5String; and for more than 64 KiB, or 250 attributes of the
 * subject.
 */
export function readCertificateRequest(pem: Buffer): CertificateRequest {
  try {
    return readRequest(onlyBlock(pem.toString("latin1")));
  } catch (error) {
    throw error instanceof DerError ? new CertificateRequestError(error.message) : error;
  }
}

/** The rest of a line of a comment, as `openssl req -text` writes them. No program sees the mark of a block in it. */
const comment = String.raw`(?!.*---)[\t\x20-\x7e\x80-\xff]*`;
const wholeText = new RegExp(
  [
    `^(?:${comment}\\r?\\n)*-----BEGIN CERTIFICATE REQUEST-----[ \\t]*\\r?\\n`,
    "[A-Za-z0-9+/= \\t\\r\\n]*",
    `-----END CERTIFICATE REQUEST-----[ \\t]*(?:\\r?\\n${comment})*\\r?$`,
  ].join(""),
);

function onlyBlock(text: string): Buffer {
  const { value: block } = pemBlocks(text).next();
  if (block?.label !== label) {
    throw new CertificateRequestError(`PEM block type must be ${label}`);
  }
  if (!wholeText.test(text)) {
    throw new CertificateRequestError("must be one PEM block without headers, and comments in front or behind");
  }
  if (block.der.length > maxBytes) {
    throw new CertificateRequestError(`must not be larger than ${maxBytes} bytes`);
  }
  return block.der;
}

function readRequest(der: Buffer): CertificateRequest {
  if (der.length === 0) {
    throw new DerError("asn1: syntax error: sequence truncated");
  }
  const [request] = readElements(der, [derTags.sequence], "certificateRequest");
  const [info, algorithm, signature] = readElements(
    request.content,
    [derTags.sequence, derTags.sequence, derTags.bitString],
    "certificateRequest",
  );
  const [version, subject, keyInfo, attributes] = readElements(
    info.content,
    [derTags.integer, derTags.sequence, derTags.sequence, derTags.attributes],
    "tbsCertificateRequest",
  );
  checkVersion(version.content);
  if (request.whole.length < der.length) {
    throw new DerError("asn1: syntax error: trailing data");
  }
  const bits = bitsOf(signature.content);
  const publicKey = readRequestKey(keyInfo);
  const name = readName(subject.content, plainStrings);
  if (name.length > maxAttributes) {
    throw new CertificateRequestError(`must not have more than ${maxAttributes} attributes in its subject`);
  }
  const names = alternativeNamesOf(attributes);
  const problem = signatureProblem(info.whole, algorithm, bits, publicKey);
  if (problem !== undefined || publicKey === undefined) {
    throw new CertificateRequestError(problem);
  }
  return { subject: name, commonName: commonNameOf(name), organizations: organizationsOf(name), publicKey, ...names };
}

/** Checks that the version is an integer of 64 bits. v1.29 accepts any. */
function checkVersion(content: Buffer): void {
  const [first = 0, second = 0] = content;
  if (content.length === 0) {
    throw new DerError("asn1: structure error: empty integer");
  }
  if (content.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))) {
    throw new DerError("asn1: structure error: integer not minimally-encoded");
  }
  if (content.length > 8) {
    throw new DerError("asn1: structure error: integer too large");
  }
}

/** Returns the octets of a signature. One with padding bits keeps the octet that counts them, and so fails. */
function bitsOf(content: Buffer): Buffer {
  const [padding] = content;
  if (padding === undefined || padding > 7 || (padding > 0 && content.length === 1)) {
    throw new DerError("asn1: syntax error: invalid padding bits in BIT STRING");
  }
  return padding === 0 ? content.subarray(1) : content;
}

function alternativeNamesOf(attributes: DerElement): AlternativeNames {
  const extensions = readAll(attributes.content).flatMap((attribute) => {
    const value = extensionsIn(attribute);
    return value === undefined ? [] : readAll(value, derTags.sequence).map(readExtension);
  });
  if (new Set(extensions.map(({ type }) => type)).size < extensions.length) {
    throw new DerError("x509: certificate request contains duplicate requested extensions");
  }
  const names = extensions.find(({ type }) => type === alternativeNamesExtension);
  return names === undefined ? noNames : readAlternativeNames(names.value);
}

/** Returns the extensions that an attribute requests. Attributes of other types, and those that are none, are passed over. */
function extensionsIn(attribute: DerElement): Buffer | undefined {
  let requested: readonly DerElement[];
  try {
    const [type, values] = readElements(attribute.content, [derTags.objectIdentifier, derTags.set], "pkcs10Attribute");
    requested =
      attribute.tag === derTags.sequence && readObjectIdentifier(type.content) === extensionRequest
        ? readAll(values.content)
        : [];
  } catch {
    return undefined;
  }
  const [first] = requested;
  return first === undefined ? undefined : readElements(first.whole, [derTags.sequence], "")[0].content;
}

function readExtension({ content }: DerElement): { readonly type: string; readonly value: Buffer } {
  const [type] = readElements(content, [derTags.objectIdentifier], "Extension");
  const rest = content.subarray(type.whole.length);
  const isCriticalStated = rest[0] === derTags.boolean;
  const [value] = readElements(isCriticalStated ? readElement(rest).rest : rest, [derTags.octetString], "Extension");
  return { type: readObjectIdentifier(type.content), value: value.content };
}
