import { fieldOverhead } from "./static-table.js";

/** A field of a dynamic table. */
export interface TableField {
  readonly name: string;
  readonly value: string;
  /** True if the name or value has bytes that no field may have. */
  readonly isMalformed: boolean;
}

/** Fields that one side of a connection has sent before, the newest first (RFC 7541, section 2.3.2). */
export class FieldTable {
  #fields: TableField[] = [];
  /** Place of the oldest field that has not been evicted. */
  #first = 0;
  #bytes = 0;
  #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get maxBytes(): number {
    return this.#maxBytes;
  }

  /** Sets the size, and evicts what does not fit. */
  set maxBytes(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#evict();
  }

  get count(): number {
    return this.#fields.length - this.#first;
  }

  /** Returns the field with `newer` fields before it; undefined if there is none. */
  at(newer: number): TableField | undefined {
    return newer < this.count ? this.#fields[this.#fields.length - 1 - newer] : undefined;
  }

  /** Adds a field, and evicts older ones for it; one that is larger than the table empties it. */
  add(field: TableField): void {
    this.#fields.push(field);
    this.#bytes += sizeOf(field);
    this.#evict();
  }

  #evict(): void {
    while (this.#bytes > this.#maxBytes) {
      this.#bytes -= sizeOf(this.#fields[this.#first++] as TableField);
    }
    if (this.#first > 64 && this.#first * 2 > this.#fields.length) {
      this.#fields = this.#fields.slice(this.#first);
      this.#first = 0;
    }
  }
}

function sizeOf({ name, value }: TableField): number {
  return name.length + value.length + fieldOverhead;
}
