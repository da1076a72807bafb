import { isUtf8 } from "node:buffer";
import { type DerElement, DerError, derTags, readAll, readElements, readObjectIdentifier } from "./der.js";

/** An attribute of a distinguished name: its type as a dotted object identifier, and its text. */
export interface NameAttribute {
  readonly type: string;
  readonly value: string;
}

/** The attributes that Kubernetes takes as user and groups. */
export const nameTypes = { commonName: "2.5.4.3", organization: "2.5.4.10" } as const;

/** The types of strings that all readers of a name read the same. */
export const plainStrings: ReadonlySet<number> = new Set([
  derTags.utf8String,
  derTags.printableString,
  derTags.ia5String,
]);

/**
 * Reads the content of a name into its attributes, in order. `accepted` limits the types of strings further than those
 * that Go's `crypto/x509` reads. Throws DerError, for values of other types as well: they are not passed over, since
 * another reader may read them.
 */
export function readName(content: Buffer, accepted?: ReadonlySet<number>): readonly NameAttribute[] {
  return readAll(content, derTags.set)
    .flatMap((set) => readAll(set.content, derTags.sequence))
    .map((attribute) => {
      const [type] = readElements(attribute.content, [derTags.objectIdentifier], "ObjectIdentifier");
      const [value, ...more] = readAll(attribute.content.subarray(type.whole.length));
      if (value === undefined) {
        throw new DerError("asn1: syntax error: sequence truncated");
      }
      if (more.length > 0) {
        throw new DerError("an attribute of the subject has more than one value");
      }
      return { type: readObjectIdentifier(type.content), value: readText(value, accepted) };
    });
}

/** Returns the last common name, the one that counts for Go; empty where there is none. */
export function commonNameOf(name: readonly NameAttribute[]): string {
  return name.findLast(({ type }) => type === nameTypes.commonName)?.value ?? "";
}

/** Returns the organizations of a name, in order. */
export function organizationsOf(name: readonly NameAttribute[]): readonly string[] {
  return name.filter(({ type }) => type === nameTypes.organization).map(({ value }) => value);
}

function readText({ tag, content }: DerElement, accepted: ReadonlySet<number> | undefined): string {
  if (accepted?.has(tag) === false) {
    throw new DerError(unreadable("UTF8String, PrintableString and IA5String"));
  }
  switch (tag) {
    case derTags.utf8String:
      return isUtf8(content) ? content.toString() : refuse("asn1: invalid UTF-8 string");
    case derTags.printableString:
      return ascii(content, /^[A-Za-z0-9 '()+,\-./:=?*&]*$/, "PrintableString");
    case derTags.ia5String:
      return content.every((octet) => octet < 0x80) ? content.toString("latin1") : invalid("IA5String");
    case derTags.numericString:
      return ascii(content, /^[0-9 ]*$/, "NumericString");
    case derTags.t61String:
      return content.toString("latin1");
    case derTags.bmpString:
      return readBmpString(content);
    default:
      return refuse(unreadable("the strings of X.520 except UniversalString"));
  }
}

function ascii(content: Buffer, pattern: RegExp, name: string): string {
  const text = content.toString("latin1");
  return pattern.test(text) ? text : invalid(name);
}

/** Reads UCS-2 in network order. Go takes one terminator away, and refuses surrogates and characters that are none. */
function readBmpString(content: Buffer): string {
  if (content.length % 2 !== 0) {
    return refuse("invalid BMPString");
  }
  const text = Buffer.from(content).swap16().toString("utf16le").replace(/\0$/, "");
  return /[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/.test(text) ? refuse("invalid BMPString") : text;
}

function unreadable(accepted: string): string {
  return `an attribute of the subject is not text that all programs read the same: only ${accepted} are accepted`;
}

function invalid(name: string): never {
  return refuse(`asn1: syntax error: ${name} contains invalid character`);
}

function refuse(message: string): never {
  throw new DerError(message);
}
