import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type Chunk, type Column, textHash } from "./chunk.js";
import { type EventFacts, type EventField, eventFields } from "./event-fields.js";

/** Rows of a full chunk: ids of all columns fit into 16 bits. */
const maxChunkRows = 16_384;
/** Bytes of events, unpacked, in a full chunk. */
const maxChunkBytes = 64 * 1024 * 1024;
/** Events that are packed together: enough to be small on disk, and few enough to be unpacked for one of them. */
const maxBlockEvents = 64;
const maxBlockBytes = 256 * 1024;

/** Events packed together. */
export interface Block {
  readonly firstRow: number;
  /** One event a line. */
  readonly packed: Buffer;
}

/** The chunk that events are added to, in memory. */
export class OpenChunk implements Chunk {
  readonly firstPosition: number;
  readonly isGone = false;
  readonly #blocks: Block[] = [];
  #count = 0;
  #rawBytes = 0;
  #packedBytes = 0;
  #minTimeUs = Number.POSITIVE_INFINITY;
  #maxTimeUs = Number.NEGATIVE_INFINITY;
  /** Events of the last block, not packed yet. */
  #loose: Buffer[] = [];
  #looseBytes = 0;
  #unpacked: { readonly block: Block; readonly events: readonly Buffer[] } | undefined;
  readonly #times = new Float64Array(maxChunkRows);
  readonly #auditIdHashes = new Uint32Array(maxChunkRows);
  readonly #sizes = new Uint32Array(maxChunkRows);
  readonly #columns = Object.fromEntries(eventFields.map((field) => [field, new ColumnBuilder()])) as Readonly<
    Record<EventField, ColumnBuilder>
  >;

  constructor(firstPosition: number) {
    this.firstPosition = firstPosition;
  }

  get count(): number {
    return this.#count;
  }

  get minTimeUs(): number {
    return this.#minTimeUs;
  }

  get maxTimeUs(): number {
    return this.#maxTimeUs;
  }

  get bytes(): number {
    return this.#packedBytes + this.#looseBytes + this.#count * (16 + 2 * eventFields.length);
  }

  get isFull(): boolean {
    return this.#count === maxChunkRows || this.#rawBytes >= maxChunkBytes;
  }

  /** Takes the next event of the log. Keeps a copy of its JSON. */
  add(json: Buffer, facts: EventFacts): void {
    const row = this.#count;
    this.#times[row] = facts.timeUs;
    this.#auditIdHashes[row] = textHash(facts.auditID);
    this.#sizes[row] = json.length;
    for (const field of eventFields) {
      this.#columns[field].add(row, facts.values[field]);
    }
    this.#minTimeUs = Math.min(this.#minTimeUs, facts.timeUs);
    this.#maxTimeUs = Math.max(this.#maxTimeUs, facts.timeUs);
    this.#loose.push(Buffer.from(json));
    this.#looseBytes += json.length;
    this.#rawBytes += json.length;
    this.#count++;
    if (this.#loose.length === maxBlockEvents || this.#looseBytes >= maxBlockBytes) {
      const block = this.#packLoose();
      this.#blocks.push(block);
      this.#packedBytes += block.packed.length;
      this.#loose = [];
      this.#looseBytes = 0;
    }
  }

  /** All events, packed. Those that wait for others to be packed with go on waiting. */
  packedBlocks(): readonly Block[] {
    return this.#loose.length === 0 ? this.#blocks : [...this.#blocks, this.#packLoose()];
  }

  times(): Float64Array {
    return this.#times.subarray(0, this.#count);
  }

  auditIdHashes(): Uint32Array {
    return this.#auditIdHashes.subarray(0, this.#count);
  }

  sizes(): Uint32Array {
    return this.#sizes.subarray(0, this.#count);
  }

  column(field: EventField): Column {
    return this.#columns[field].column(this.#count);
  }

  eventAt(row: number): Buffer {
    const looseFrom = this.#count - this.#loose.length;
    if (row >= looseFrom) {
      return this.#loose[row - looseFrom] as Buffer;
    }
    const block = this.#blocks.findLast(({ firstRow }) => firstRow <= row) as Block;
    if (this.#unpacked?.block !== block) {
      this.#unpacked = { block, events: unpackEvents(block.packed) };
    }
    return this.#unpacked.events[row - block.firstRow] as Buffer;
  }

  #packLoose(): Block {
    return { firstRow: this.#count - this.#loose.length, packed: packEvents(this.#loose) };
  }
}

class ColumnBuilder {
  readonly #ids = new Uint16Array(maxChunkRows);
  readonly #idOf = new Map<string, number>();
  readonly #values: string[] = [];
  readonly #hashes: number[] = [];

  add(row: number, value: string): void {
    let id = this.#idOf.get(value);
    if (id === undefined) {
      id = this.#values.length;
      this.#idOf.set(value, id);
      this.#values.push(value);
      this.#hashes.push(textHash(value));
    }
    this.#ids[row] = id;
  }

  column(count: number): Column {
    return {
      ids: () => this.#ids.subarray(0, count),
      hashes: () => Uint32Array.from(this.#hashes),
      values: () => this.#values,
    };
  }
}

const newline = Buffer.from("\n");

/** Events have no line breaks outside of their texts, where they are escaped. */
function packEvents(events: readonly Buffer[]): Buffer {
  return deflateRawSync(Buffer.concat(events.flatMap((event) => [event, newline])), { level: 1 });
}

/** The events of a block, in the order of their rows. */
export function unpackEvents(packed: Buffer): readonly Buffer[] {
  const lines = inflateRawSync(packed);
  const events: Buffer[] = [];
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(10, start);
    events.push(lines.subarray(start, end));
    start = end + 1;
  }
  return events;
}
