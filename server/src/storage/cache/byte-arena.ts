/** Memory that holds the bytes of entries. What is in it never changes. */
export interface ByteHolder {
  readonly bytes: Buffer;
}

/** Something whose bytes an arena may move; where they are is its own secret. */
export interface Movable {
  readonly length: number;
  readonly holder: ByteHolder;
  /** Copies the bytes to their new place and remembers that. */
  moveTo(holder: ByteHolder, start: number): void;
}

interface Slab extends ByteHolder {
  used: number;
  live: number;
  /** Whoever has or had bytes here. */
  readonly tenants: Movable[];
}

/**
 * A Buffer of its own costs some 350 bytes besides its content, a third of a small object. So entries share slabs.
 * A cache of few objects should not pay for a large slab: slabs double in size up to the largest.
 */
const smallestSlabBytes = 4 * 1024;
const largestSlabBytes = 256 * 1024;

/** A slab is given up when less than this part of it is in use: memory against copying. */
const liveShare = 0.7;

/**
 * Slabs for the bytes of the live entries of a cache. A slab that is mostly garbage is emptied by moving what is left of
 * it, so the slabs never take much more than what lives in them.
 */
export class ByteArena {
  #slab: Slab | undefined;
  #slabBytes = smallestSlabBytes;

  /** Moves the bytes of a new tenant in. Large ones stay where they are. */
  admit(tenant: Movable): void {
    const { length } = tenant;
    if (length > largestSlabBytes / 8) {
      return;
    }
    const slab = this.#roomFor(length);
    tenant.moveTo(slab, slab.used);
    slab.used += length;
    slab.live += length;
    slab.tenants.push(tenant);
  }

  /** Moves the bytes of a tenant out, to a place that is not the arena's concern. */
  evict(tenant: Movable, graveyard: Graveyard): void {
    const slab = tenant.holder as Slab;
    if (slab.tenants === undefined) {
      return; // never came in
    }
    graveyard.take(tenant);
    slab.live -= tenant.length;
    if (slab !== this.#slab && slab.live < slab.bytes.length * liveShare) {
      this.#empty(slab);
    }
  }

  #roomFor(length: number): Slab {
    for (;;) {
      const slab = this.#slab;
      if (slab !== undefined && slab.used + length <= slab.bytes.length) {
        return slab;
      }
      while (this.#slabBytes < length) {
        this.#slabBytes *= 2;
      }
      this.#slab = { bytes: Buffer.allocUnsafeSlow(this.#slabBytes), used: 0, live: 0, tenants: [] };
      this.#slabBytes = Math.min(this.#slabBytes * 2, largestSlabBytes);
      if (slab !== undefined && slab.live < slab.bytes.length * liveShare) {
        // What moves over may leave no room, or have opened yet another slab: look again.
        this.#empty(slab);
      }
    }
  }

  #empty(slab: Slab): void {
    slab.live = 0;
    for (const tenant of slab.tenants) {
      if (tenant.holder === slab) {
        this.admit(tenant);
      }
    }
    slab.tenants.length = 0;
  }
}

/**
 * Where the bytes of replaced entries go while events and snapshots may still need them. They die in the order in which
 * they came, more or less, so a slab is free as a whole when its time is over.
 */
export class Graveyard {
  #holder: ByteHolder = { bytes: Buffer.alloc(0) };
  #used = 0;
  #slabBytes = smallestSlabBytes;

  take(tenant: Movable): void {
    if (this.#used + tenant.length > this.#holder.bytes.length) {
      this.#slabBytes = Math.min(Math.max(this.#slabBytes * 2, tenant.length), largestSlabBytes);
      this.#holder = { bytes: Buffer.allocUnsafeSlow(this.#slabBytes) };
      this.#used = 0;
    }
    tenant.moveTo(this.#holder, this.#used);
    this.#used += tenant.length;
  }
}
