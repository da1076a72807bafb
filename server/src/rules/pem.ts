/** One block of a PEM text (RFC 7468, with the headers of RFC 1421). */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const begin = "-----BEGIN ";
const dashes = "-----";

/** The blocks of a text, as Go's `pem.Decode` finds them one after the other: what is no whole block is passed over. */
export function* pemBlocks(text: string): Generator<PemBlock> {
  for (let at = nextBegin(text, 0); at >= 0; ) {
    const block = blockAt(text, at);
    if (block !== undefined) {
      yield block;
    }
    at = nextBegin(text, block?.end ?? at + begin.length);
  }
}

/** Where a line that opens a block begins; -1 when there is none. */
function nextBegin(text: string, from: number): number {
  let at = text.indexOf(begin, from);
  while (at > 0 && text[at - 1] !== "\n") {
    at = text.indexOf(begin, at + begin.length);
  }
  return at;
}

function blockAt(text: string, at: number): (PemBlock & { readonly end: number }) | undefined {
  const lineEnd = indexOrEnd(text, "\n", at);
  const line = text.slice(at + begin.length, lineEnd).trimEnd();
  // The text of a block ends before the next one begins, so that a text of beginnings is read but once.
  const limit = nextBegin(text, lineEnd);
  const rest = text.slice(lineEnd + 1, limit < 0 ? undefined : limit);
  if (!line.endsWith(dashes)) {
    return undefined;
  }
  const type = line.slice(0, -dashes.length);
  const ending = `-----END ${type}${dashes}`;
  const endAt = rest.startsWith(ending) ? 0 : rest.indexOf(`\n${ending}`);
  if (endAt < 0 || rest.slice(endAt).trimStart().slice(ending.length).split("\n", 1)[0]?.trim() !== "") {
    return undefined;
  }
  const { hasHeaders, body } = withoutHeaders(rest.slice(0, endAt));
  const base64 = body.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 !== 0) {
    return undefined;
  }
  return { type, hasHeaders, bytes: Buffer.from(base64, "base64"), end: lineEnd + 1 + endAt };
}

/** Headers are lines of a name and a value in front of everything else. */
function withoutHeaders(content: string): { hasHeaders: boolean; body: string } {
  let at = 0;
  let hasHeaders = false;
  while (at < content.length) {
    const end = indexOrEnd(content, "\n", at);
    if (!content.slice(at, end).includes(":")) {
      break;
    }
    hasHeaders = true;
    at = end + 1;
  }
  return { hasHeaders, body: content.slice(at) };
}

function indexOrEnd(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
}
