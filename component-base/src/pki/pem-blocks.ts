/** A block of PEM text (RFC 7468, with the headers of RFC 1421). */
export interface PemBlock {
  /** Type in the block's first line: `CERTIFICATE`, `RSA PRIVATE KEY`. */
  readonly label: string;
  /** True if lines such as `Proc-Type: 4,ENCRYPTED` precede the bytes. */
  readonly hasHeaders: boolean;
  readonly der: Buffer;
}

const begin = "-----BEGIN ";
const dashes = "-----";

/**
 * The blocks in PEM text one after the other, as Go's `encoding/pem` finds them: first and last line stand alone, whatever
 * stands around them is passed over, and so is a block that ends otherwise than it begins or is not base64. OpenSSL is
 * stricter in some of this and looser in other; what people have for Kubernetes was read by Go.
 */
export function* pemBlocks(text: string): Generator<PemBlock, undefined> {
  for (let at = nextBegin(text, 0); at >= 0; ) {
    // The text of a block ends before the next one begins, so that a text of beginnings is read but once.
    const next = nextBegin(text, at + begin.length);
    const block = blockIn(text.slice(at + begin.length, next < 0 ? undefined : next));
    if (block !== undefined) {
      yield block;
    }
    at = next;
  }
  return undefined;
}

/** Returns the position of the next line that opens a block; -1 when there is none. */
function nextBegin(text: string, from: number): number {
  let at = text.indexOf(begin, from);
  while (at > 0 && text[at - 1] !== "\n") {
    at = text.indexOf(begin, at + begin.length);
  }
  return at;
}

/** The block whose label the text begins with. */
function blockIn(text: string): PemBlock | undefined {
  const [first, rest] = cutLine(text);
  if (!first.endsWith(dashes)) {
    return undefined;
  }
  const label = first.slice(0, -dashes.length);
  const { hasHeaders, body } = withoutHeaders(rest);
  const content = contentBefore(`-----END ${label}${dashes}`, body, !hasHeaders);
  const base64 = content?.replace(/[ \t\r\n]+/g, "");
  return base64 !== undefined && base64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(base64)
    ? { label, hasHeaders, der: Buffer.from(base64, "base64") }
    : undefined;
}

/** Headers are lines of a name and a value in front of everything else. */
function withoutHeaders(text: string): { readonly hasHeaders: boolean; readonly body: string } {
  let body = text;
  for (let [line, rest] = cutLine(body); line.includes(":"); [line, rest] = cutLine(body)) {
    body = rest;
  }
  return { hasHeaders: body.length < text.length, body };
}

/**
 * Returns the text before the line that ends a block; undefined without one. A line break must come before that line.
 */
function contentBefore(ending: string, text: string, mayBeAbsent: boolean): string | undefined {
  const at = mayBeAbsent && text.startsWith(ending) ? 0 : text.indexOf(`\n${ending}`);
  const afterEnding = at + ending.length + (text.startsWith("\n", at) ? 1 : 0);
  return at >= 0 && cutLine(text.slice(afterEnding))[0] === "" ? text.slice(0, at) : undefined;
}

/** The first line, without the white space at its end, and what comes after it. */
function cutLine(text: string): [line: string, rest: string] {
  const lineFeed = text.indexOf("\n");
  let end = lineFeed < 0 ? text.length : lineFeed;
  if (text[end - 1] === "\r") {
    end--;
  }
  while (text[end - 1] === " " || text[end - 1] === "\t") {
    end--;
  }
  return [text.slice(0, end), lineFeed < 0 ? "" : text.slice(lineFeed + 1)];
}
