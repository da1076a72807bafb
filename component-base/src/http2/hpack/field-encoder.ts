import { defaultTableBytes, fieldOverhead, staticCount, staticFields } from "./static-table.js";

/** Fields whose values are secrets: no table keeps them, here or at a proxy (RFC 7541, section 7.1.3). */
const secretNames: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization", "set-cookie"]);

/** Names that are remembered; those without a field in the table are forgotten when there are more. */
const maxNames = 128;
/** Places of a block whose names are remembered. */
const maxPlaces = 64;
/** Values of a name that are remembered as having been sent once. */
const maxSentOnce = 4;
/** New values of a name in a row, after which it is taken for one whose values do not repeat: an identifier, say. */
const newInARow = 32;
/** Values of such a name of which one is compared all the same, since it may begin to repeat. */
const comparedEach = 16;
/** Length of a text up to which to write it here takes less than a call of Node. */
const shortLength = 64;

/** The state of one name in an encoder. */
interface KnownName {
  readonly name: string;
  /** First index of the name in the static table; 0 if it is not there. */
  readonly staticIndex: number;
  /** Indexes in the static table by value. */
  readonly staticValues: ReadonlyMap<string, number>;
  readonly isSecret: boolean;
  /** Numbers of the fields of the table by value, counted from the first that was ever added. */
  readonly added: Map<string, number>;
  /** The value that was found in the table last, and its number: mostly it is the next one, too. */
  lastValue: string | undefined;
  lastNumber: number;
  /** The last values that have been sent once, the oldest at `oldest`. */
  readonly sentOnce: string[];
  oldest: number;
  /** Values since one was found to have been sent once. */
  values: number;
}

/** First bits of a field's form (RFC 7541, section 6), and the bits that are left for its index. */
const form = {
  indexed: { bits: 0x80, prefix: 7 },
  added: { bits: 0x40, prefix: 6 },
  plain: { bits: 0x00, prefix: 4 },
  secret: { bits: 0x10, prefix: 4 },
  tableSize: { bits: 0x20, prefix: 5 },
} as const;

type Form = (typeof form)[keyof typeof form];

/**
 * Encodes the blocks of fields that one side sends on a connection (RFC 7541), without Huffman's code. A field that is sent
 * for the second time is added to the table, so that those that differ from request to request do not displace others.
 */
export class FieldEncoder {
  readonly #names = new Map<string, KnownName>();
  /** The names of earlier blocks by place: heads have the same names in the same order. */
  readonly #placed: KnownName[] = [];
  readonly #entries: { readonly known: KnownName; readonly bytes: number; readonly value: string }[] = [];
  #evicted = 0;
  #bytes = 0;
  #maxBytes = defaultTableBytes;
  #hasNewSize = false;
  #block = Buffer.allocUnsafe(1024);
  #at = 0;

  /** Makes the table no larger than the peer allows. It does not grow again. */
  limitTable(bytes: number): void {
    if (bytes < this.#maxBytes) {
      this.#maxBytes = bytes;
      this.#hasNewSize = true;
      this.#evict();
    }
  }

  /**
   * Encodes fields: lower-case names and values in turn, which must have been checked. The bytes are valid until the next
   * call.
   */
  encode(fields: readonly string[]): Buffer {
    this.#at = 0;
    if (this.#hasNewSize) {
      this.#hasNewSize = false;
      this.#writeInteger(form.tableSize, this.#maxBytes);
    }
    for (let at = 0; at < fields.length; at += 2) {
      this.#encodeField(this.#knownAt(at / 2, fields[at] as string), fields[at + 1] as string);
    }
    return this.#block.subarray(0, this.#at);
  }

  #knownAt(place: number, name: string): KnownName {
    const placed = this.#placed[place];
    if (placed?.name === name) {
      return placed;
    }
    const known = this.#names.get(name) ?? this.#learn(name);
    if (place < maxPlaces) {
      this.#placed[place] = known;
    }
    return known;
  }

  #encodeField(known: KnownName, value: string): void {
    const index = this.#indexOf(known, value);
    if (index !== undefined) {
      this.#writeInteger(form.indexed, index);
    } else if (known.isSecret) {
      this.#writeLiteral(form.secret, known, value);
    } else if (this.#isWorthAdding(known, value)) {
      this.#writeLiteral(form.added, known, value);
      this.#add(known, value);
    } else {
      this.#writeLiteral(form.plain, known, value);
    }
  }

  #learn(name: string): KnownName {
    if (this.#names.size >= maxNames) {
      for (const [other, { added }] of this.#names) {
        if (added.size === 0) {
          this.#names.delete(other);
        }
      }
      this.#placed.length = 0;
    }
    const known: KnownName = {
      name,
      staticIndex: staticNames.get(name) ?? 0,
      staticValues: staticIndexes.get(name) ?? noValues,
      isSecret: secretNames.has(name),
      added: new Map(),
      lastValue: undefined,
      lastNumber: 0,
      sentOnce: [],
      oldest: 0,
      values: 0,
    };
    this.#names.set(name, known);
    return known;
  }

  #indexOf(known: KnownName, value: string): number | undefined {
    if (value !== known.lastValue) {
      // A value that is new has no hash yet, which takes longer than all the rest.
      const number = known.added.size === 0 ? undefined : known.added.get(value);
      if (number === undefined) {
        return known.staticValues.size === 0 ? undefined : known.staticValues.get(value);
      }
      known.lastValue = value;
      known.lastNumber = number;
    }
    return staticCount + this.#evicted + this.#entries.length - known.lastNumber;
  }

  /**
   * Reports whether a value has been sent once, and remembers it if it has not. Most values of a name that has
   * none twice are not compared: they are joined from pieces, and comparing makes one text of these.
   */
  #isWorthAdding(known: KnownName, value: string): boolean {
    known.values++;
    if (known.values > newInARow && known.values % comparedEach !== 0) {
      return false;
    }
    if ((known.name.length + value.length + fieldOverhead) * 4 > this.#maxBytes) {
      return false;
    }
    const { sentOnce } = known;
    const at = sentOnce.indexOf(value);
    if (at >= 0) {
      sentOnce.splice(at, 1);
      known.oldest = 0;
      known.values = 0;
      return true;
    }
    if (sentOnce.length < maxSentOnce) {
      sentOnce.push(value);
    } else {
      sentOnce[known.oldest] = value;
      known.oldest = (known.oldest + 1) % maxSentOnce;
    }
    return false;
  }

  #add(known: KnownName, value: string): void {
    const bytes = known.name.length + value.length + fieldOverhead;
    this.#bytes += bytes;
    known.added.set(value, this.#evicted + this.#entries.length);
    this.#entries.push({ known, bytes, value });
    this.#evict();
  }

  #evict(): void {
    while (this.#bytes > this.#maxBytes) {
      const { known, bytes, value } = this.#entries.shift() as { known: KnownName; bytes: number; value: string };
      this.#evicted++;
      this.#bytes -= bytes;
      known.added.delete(value);
      if (known.lastValue === value) {
        known.lastValue = undefined;
      }
    }
  }

  #writeLiteral(as: Form, { staticIndex, name }: KnownName, value: string): void {
    this.#writeInteger(as, staticIndex);
    if (staticIndex === 0) {
      this.#writeString(name);
    }
    this.#writeString(value);
  }

  #writeString(text: string): void {
    this.#writeInteger({ bits: 0, prefix: 7 }, text.length);
    this.#reserve(text.length);
    if (text.length > shortLength) {
      this.#at += this.#block.write(text, this.#at, "latin1");
      return;
    }
    for (let at = 0; at < text.length; at++) {
      this.#block[this.#at++] = text.charCodeAt(at);
    }
  }

  #writeInteger({ bits, prefix }: { readonly bits: number; readonly prefix: number }, value: number): void {
    this.#reserve(6);
    const mask = (1 << prefix) - 1;
    if (value < mask) {
      this.#block[this.#at++] = bits | value;
      return;
    }
    this.#block[this.#at++] = bits | mask;
    let rest = value - mask;
    for (; rest >= 128; rest >>>= 7) {
      this.#block[this.#at++] = (rest & 127) | 128;
    }
    this.#block[this.#at++] = rest;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes > this.#block.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#block.length * 2, this.#at + bytes));
      this.#block.copy(larger, 0, 0, this.#at);
      this.#block = larger;
    }
  }
}

const noValues: ReadonlyMap<string, number> = new Map();

/** Indexes of fields of the static table by name and value. */
const staticIndexes: ReadonlyMap<string, ReadonlyMap<string, number>> = indexStatic();
/** First index of each name of the static table. */
const staticNames: ReadonlyMap<string, number> = new Map(
  staticFields.flatMap((name, at) => (at % 2 === 0 ? ([[name, at / 2 + 1]] as const) : [])).reverse(),
);

function indexStatic(): Map<string, Map<string, number>> {
  const indexes = new Map<string, Map<string, number>>();
  for (let at = 0; at < staticFields.length; at += 2) {
    const [name, value] = [staticFields[at] as string, staticFields[at + 1] as string];
    indexes.set(name, (indexes.get(name) ?? new Map<string, number>()).set(value, at / 2 + 1));
  }
  return indexes;
}
