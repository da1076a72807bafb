import { DerError, derTags, readAll, readElement, writeElement } from "./der.js";

/** The names besides the subject (RFC 5280, section 4.2.1.6), by kind. Those of other kinds are left out, as in v1.29. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  /** Addresses of four or sixteen bytes. */
  readonly ipAddresses: readonly Buffer[];
  readonly uris: readonly string[];
}

/** The object identifier of the extension. */
export const alternativeNamesExtension = "2.5.29.17";

const tags = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const;

/** Reads the value of the extension. Throws DerError, in the words of Go's `crypto/x509` where it refuses the same. */
export function readAlternativeNames(value: Buffer): AlternativeNames {
  const { element } = readElement(value);
  if (element.tag !== derTags.sequence) {
    throw new DerError("x509: invalid subject alternative names");
  }
  const names = readAll(element.content);
  const ofTag = (tag: number): readonly Buffer[] =>
    names.filter((name) => name.tag === tag).map(({ content }) => content);
  return {
    dnsNames: ofTag(tags.dns).map((content) => readAscii(content, "dNSName")),
    emailAddresses: ofTag(tags.email).map((content) => readAscii(content, "rfc822Name")),
    ipAddresses: ofTag(tags.ip).map(readAddress),
    uris: ofTag(tags.uri).map((content) => checkUri(readAscii(content, "uniformResourceIdentifier"))),
  };
}

/** Writes the value of the extension in the order of v1.29; undefined for no names. */
export function writeAlternativeNames(names: AlternativeNames): Buffer | undefined {
  const texts = (tag: number, values: readonly string[]) =>
    values.map((value) => writeElement(tag, Buffer.from(value, "latin1")));
  const elements = [
    ...texts(tags.dns, names.dnsNames),
    ...texts(tags.email, names.emailAddresses),
    ...names.ipAddresses.map((address) => writeElement(tags.ip, address)),
    ...texts(tags.uri, names.uris),
  ];
  return elements.length === 0 ? undefined : writeElement(derTags.sequence, ...elements);
}

function readAscii(content: Buffer, kind: string): string {
  if (content.some((octet) => octet >= 0x80)) {
    throw new DerError(`x509: SAN ${kind} is malformed`);
  }
  return content.toString("latin1");
}

/** IPv4 addresses in the form of IPv6 become plain ones, as in v1.29. */
function readAddress(content: Buffer): Buffer {
  if (content.length !== 4 && content.length !== 16) {
    throw new DerError(`x509: cannot parse IP address of length ${content.length}`);
  }
  const isMapped = content.length === 16 && content.subarray(0, 12).toString("hex") === "00000000000000000000ffff";
  return isMapped ? content.subarray(12) : content;
}

const uriPattern = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;
// Scheme, user, host and port (RFC 3986, appendix B and section 3.2).
const authorityPattern = /^(?:[^:/?#]+:)?\/\/(?:[^/?#@]*@)?([^/?#@]*)/;
const hostPattern = /^(?:\[[0-9A-Fa-f:.]+\]|(?!\.)(?!.*\.\.)[^:[\]]*)(?::[0-9]*)?$/;

// v1.29 writes the scheme in lower case and takes an empty fragment away.
const rewrittenPattern = /^[^:/?#]*[A-Z][^:/?#]*:|#$/;

/** A URI goes into the certificate as it is, so it must be one by RFC 3986, and one that v1.29 does not rewrite. */
function checkUri(uri: string): string {
  const host = authorityPattern.exec(uri)?.[1];
  if (!uriPattern.test(uri) || rewrittenPattern.test(uri) || (host !== undefined && !hostPattern.test(host))) {
    throw new DerError(`x509: cannot parse URI ${JSON.stringify(uri)}`);
  }
  return uri;
}
