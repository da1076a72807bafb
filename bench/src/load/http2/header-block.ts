/** Index of a name alone in HPACK's static table (RFC 7541, appendix A). */
const staticNames: Readonly<Record<string, number>> = {
  ":authority": 1,
  ":method": 2,
  ":path": 4,
  accept: 19,
  "content-length": 28,
  "content-type": 31,
};
/** Index of a whole field. */
const staticFields: Readonly<Record<string, number>> = {
  ":method GET": 2,
  ":method POST": 3,
  ":scheme http": 6,
  ":scheme https": 7,
};
const firstDynamicIndex = 62;

/** Header fields in two encodings. */
export interface HeaderBlocks {
  /** Encoding for the first request of a connection: the fields enter the server's dynamic table. */
  readonly first: Buffer;
  /** Encoding for later requests: nothing but indexes, as clients send that repeat themselves. */
  readonly repeated: Buffer;
}

/** Encodes the fields of a request that is repeated as it is, but for values that are `changing`: they are sent whole. */
export function encodeHeaders(
  fields: readonly (readonly [name: string, value: string])[],
  isChanging: (value: string) => boolean = () => false,
): HeaderBlocks {
  const inserted = fields.filter(
    ([name, value]) => staticFields[`${name} ${value}`] === undefined && !isChanging(value),
  );
  const first: Buffer[] = [];
  const repeated: Buffer[] = [];
  for (const [name, value] of fields) {
    const known = staticFields[`${name} ${value}`];
    if (known !== undefined) {
      first.push(indexed(known));
      repeated.push(indexed(known));
    } else if (isChanging(value)) {
      first.push(literal(name, value, notIndexed));
      repeated.push(literal(name, value, notIndexed));
    } else {
      first.push(literal(name, value, enteringTable));
      // The newest entry of the dynamic table has the lowest index.
      const age = inserted.length - 1 - inserted.findIndex((field) => field[0] === name);
      repeated.push(indexed(firstDynamicIndex + age));
    }
  }
  return { first: Buffer.concat(first), repeated: Buffer.concat(repeated) };
}

function indexed(index: number): Buffer {
  return prefixedInteger(0x80, 7, index);
}

/** First bits of a literal, and the number of bits left for the index of its name. */
interface LiteralForm {
  readonly pattern: number;
  readonly prefixBits: number;
}

/** Form of a literal that enters the dynamic table. */
const enteringTable: LiteralForm = { pattern: 0x40, prefixBits: 6 };
const notIndexed: LiteralForm = { pattern: 0, prefixBits: 4 };

function literal(name: string, value: string, { pattern, prefixBits }: LiteralForm): Buffer {
  const index = staticNames[name];
  const start = prefixedInteger(pattern, prefixBits, index ?? 0);
  return Buffer.concat(index === undefined ? [start, plain(name), plain(value)] : [start, plain(value)]);
}

/** A text without Huffman code, after its length. */
function plain(text: string): Buffer {
  return Buffer.concat([prefixedInteger(0, 7, Buffer.byteLength(text)), Buffer.from(text)]);
}

/** RFC 7541, section 5.1. */
function prefixedInteger(pattern: number, prefixBits: number, value: number): Buffer {
  const limit = 2 ** prefixBits - 1;
  if (value < limit) {
    return Buffer.from([pattern | value]);
  }
  const bytes = [pattern | limit];
  let rest = value - limit;
  for (; rest >= 128; rest >>= 7) {
    bytes.push((rest & 0x7f) | 0x80);
  }
  return Buffer.from([...bytes, rest]);
}
