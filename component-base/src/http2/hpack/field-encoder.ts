import { defaultTableBytes, fieldOverhead, staticCount, staticFields } from "./static-table.js";

/** Fields whose values are secrets: no table keeps them, here or at a proxy (RFC 7541, section 7.1.3). */
const secretNames: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization", "set-cookie"]);

/** Number of fields that are remembered as having been sent once. */
const seenLimit = 512;

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
  /** Numbers of the fields of the table by name and value, counted from the first that was ever added. */
  readonly #numbers = new Map<string, Map<string, number>>();
  readonly #entries: { readonly name: string; readonly value: string }[] = [];
  #evicted = 0;
  #bytes = 0;
  #maxBytes = defaultTableBytes;
  #hasNewSize = false;
  #seen = new Set<string>();
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

  /** Encodes fields: lower-case names and values in turn, which must have been checked. The bytes are new. */
  encode(fields: readonly string[]): Buffer {
    this.#at = 0;
    if (this.#hasNewSize) {
      this.#hasNewSize = false;
      this.#writeInteger(form.tableSize, this.#maxBytes);
    }
    for (let at = 0; at < fields.length; at += 2) {
      this.#encodeField(fields[at] as string, fields[at + 1] as string);
    }
    return Buffer.from(this.#block.subarray(0, this.#at));
  }

  #encodeField(name: string, value: string): void {
    const known = staticIndexes.get(name);
    const index = known?.get(value) ?? this.#indexOf(name, value);
    if (index !== undefined) {
      this.#writeInteger(form.indexed, index);
    } else if (secretNames.has(name)) {
      this.#writeLiteral(form.secret, name, value);
    } else if (this.#isWorthAdding(name, value)) {
      this.#writeLiteral(form.added, name, value);
      this.#add(name, value);
    } else {
      this.#writeLiteral(form.plain, name, value);
    }
  }

  #indexOf(name: string, value: string): number | undefined {
    const number = this.#numbers.get(name)?.get(value);
    return number === undefined ? undefined : staticCount + this.#evicted + this.#entries.length - number;
  }

  #isWorthAdding(name: string, value: string): boolean {
    const size = name.length + value.length + fieldOverhead;
    if (size * 4 > this.#maxBytes) {
      return false;
    }
    const key = `${name}: ${value}`;
    if (this.#seen.delete(key)) {
      return true;
    }
    if (this.#seen.size >= seenLimit) {
      this.#seen = new Set();
    }
    this.#seen.add(key);
    return false;
  }

  #add(name: string, value: string): void {
    this.#bytes += name.length + value.length + fieldOverhead;
    const values = this.#numbers.get(name) ?? new Map<string, number>();
    this.#numbers.set(name, values.set(value, this.#evicted + this.#entries.length));
    this.#entries.push({ name, value });
    this.#evict();
  }

  #evict(): void {
    while (this.#bytes > this.#maxBytes) {
      const { name, value } = this.#entries.shift() as { name: string; value: string };
      this.#evicted++;
      this.#bytes -= name.length + value.length + fieldOverhead;
      const values = this.#numbers.get(name);
      values?.delete(value);
      if (values?.size === 0) {
        this.#numbers.delete(name);
      }
    }
  }

  #writeLiteral(as: Form, name: string, value: string): void {
    const nameIndex = staticNames.get(name);
    this.#writeInteger(as, nameIndex ?? 0);
    if (nameIndex === undefined) {
      this.#writeString(name);
    }
    this.#writeString(value);
  }

  #writeString(text: string): void {
    this.#writeInteger({ bits: 0, prefix: 7 }, text.length);
    this.#reserve(text.length);
    this.#at += this.#block.write(text, this.#at, "latin1");
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
