/** The names in a certificate, byte by byte, as the recorded answers have them. */
export interface IssuedNames {
  /** A text for each relative name: `type=tag:value`, joined by `+`. */
  readonly subject: readonly string[];
  /** `tag:value`, addresses as hex. Absent where there are none. */
  readonly names?: readonly string[];
  /** Stated where the extension with the names is critical. */
  readonly critical?: true;
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

const versionAndOthers = 5;
const extensionsTag = 0xa3;
const addressTag = 0x87;

/** Reads the names in a PEM certificate, with a reader that shares nothing with the one under test. */
export function issuedNames(pem: Buffer): IssuedNames {
  const der = Buffer.from(pem.toString().replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
  const parts = elementsIn(elementsIn(elementsIn(der)[0])[0]);
  const subject = elementsIn(parts[versionAndOthers]).map((set) => elementsIn(set).map(attributeText).join("+"));
  const extensions = elementsIn(elementsIn(parts.find(({ tag }) => tag === extensionsTag))[0]).map(elementsIn);
  const found = extensions.find(([type]) => type !== undefined && oidText(type.content) === "2.5.29.17");
  const names = elementsIn(elementsIn(found?.at(-1))[0]).map(
    ({ tag, content }) => `${tag.toString(16)}:${content.toString(tag === addressTag ? "hex" : "latin1")}`,
  );
  const critical = found?.length === 3 ? { critical: true as const } : {};
  return { subject, ...(names.length === 0 ? {} : { names }), ...critical };
}

function attributeText(attribute: Element): string {
  const [type, value] = elementsIn(attribute);
  return `${oidText(type?.content)}=${value?.tag.toString(16)}:${value?.content.toString()}`;
}

function elementsIn(holder: Element | Buffer | undefined): readonly Element[] {
  const bytes = Buffer.isBuffer(holder) ? holder : (holder?.content ?? Buffer.alloc(0));
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at + 1);
    const size = first < 0x80 ? 0 : first & 0x7f;
    const length = size === 0 ? first : bytes.readUIntBE(at + 2, size);
    const begin = at + 2 + size;
    elements.push({ tag: bytes.readUInt8(at), content: bytes.subarray(begin, begin + length) });
    at = begin + length;
  }
  return elements;
}

function oidText(content: Buffer = Buffer.alloc(0)): string {
  const [first = 0, ...others] = content;
  const arcs = [Math.floor(first / 40), first % 40];
  let arc = 0;
  for (const octet of others) {
    arc = arc * 128 + (octet & 0x7f);
    if (octet < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  return arcs.join(".");
}
