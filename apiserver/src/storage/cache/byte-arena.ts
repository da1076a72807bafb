/** Memory that holds the bytes of entries. Bytes that have been written never change. */
export interface ByteHolder {
  readonly bytes: Buffer;
}

/** A place in such memory. */
export interface Room {
  readonly holder: ByteHolder;
  readonly start: number;
}

/** An owner of bytes that an arena may move; the place of the bytes is private to it. */
export interface Movable {
  readonly length: number;
  readonly holder: ByteHolder;
  /** Copies the bytes to their new place and remembers that. */
  moveTo(holder: ByteHolder, start: number): void;
}

/** Room that is reserved for a tenant, which writes its bytes and then settles in it. */
export interface ReservedRoom extends Room {
  settle(tenant: Movable): void;
}

class Slab implements ByteHolder {
  readonly bytes: Buffer;
  used = 0;
  live = 0;
  /**
   * The tenants of this slab and no others: one that has moved out would keep the memory alive to which it has moved,
   * for as long as the slab lasts.
   */
  readonly tenants: Movable[] = [];

  constructor(length: number) {
    this.bytes = Buffer.allocUnsafeSlow(length);
  }

  /**
   * Removes a tenant. Most of those removed came late, so the search begins with the last; the last tenant takes the
   * place.
   */
  remove(tenant: Movable): void {
    const at = this.tenants.lastIndexOf(tenant);
    const last = this.tenants.pop();
    if (last !== undefined && at < this.tenants.length) {
      this.tenants[at] = last;
    }
    this.live -= tenant.length;
  }
}

/**
 * A Buffer of its own costs some 350 bytes besides its content, a third of a small object. So entries share slabs.
 * A cache of few objects should not pay for a large slab: slabs double in size up to the largest.
 */
const smallestSlabBytes = 4 * 1024;
const largestSlabBytes = 256 * 1024;

/** A slab is given up when less than this part of it is in use: memory against copying. */
const liveShare = 0.7;

/** The memory that an arena takes, and its use. */
export interface ArenaUse {
  readonly slabs: number;
  /** Bytes of all slabs. */
  readonly heldBytes: number;
  /** Bytes of the tenants in them. */
  readonly liveBytes: number;
  readonly tenants: number;
}

/**
 * Slabs for the bytes of the live entries of a cache. A slab that is mostly garbage is emptied by moving its live
 * bytes, so the slabs never take much more than their live bytes.
 */
export class ByteArena {
  readonly #slabs = new Set<Slab>();
  #slab: Slab | undefined;
  #slabBytes = smallestSlabBytes;

  /** Moves the bytes of a new tenant in. Large ones stay where they are. */
  admit(tenant: Movable): void {
    const room = this.reserve(tenant.length);
    if (room !== undefined) {
      tenant.moveTo(room.holder, room.start);
      room.settle(tenant);
    }
  }

  /**
   * Reserves room for the bytes of a new tenant; undefined when they are so many that they should have memory of their
   * own.
   */
  reserve(length: number): ReservedRoom | undefined {
    if (length > largestSlabBytes / 8) {
      return undefined;
    }
    const slab = this.#roomFor(length);
    const start = slab.used;
    slab.used += length;
    slab.live += length;
    return { holder: slab, start, settle: (tenant) => slab.tenants.push(tenant) };
  }

  /** Moves the bytes of a tenant out, to a place that is not the arena's concern. */
  evict(tenant: Movable, graveyard: Graveyard): void {
    const slab = tenant.holder;
    if (!(slab instanceof Slab)) {
      return; // never came in
    }
    graveyard.take(tenant);
    slab.remove(tenant);
    if (slab !== this.#slab && slab.live < slab.bytes.length * liveShare) {
      this.#empty(slab);
    }
  }

  use(): ArenaUse {
    const use = { slabs: this.#slabs.size, heldBytes: 0, liveBytes: 0, tenants: 0 };
    for (const slab of this.#slabs) {
      use.heldBytes += slab.bytes.length;
      use.liveBytes += slab.live;
      use.tenants += slab.tenants.length;
    }
    return use;
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
      this.#slab = new Slab(this.#slabBytes);
      this.#slabs.add(this.#slab);
      this.#slabBytes = Math.min(this.#slabBytes * 2, largestSlabBytes);
      if (slab !== undefined && slab.live < slab.bytes.length * liveShare) {
        // The moved bytes may leave no room, or have opened yet another slab: check again.
        this.#empty(slab);
      }
    }
  }

  #empty(slab: Slab): void {
    this.#slabs.delete(slab);
    for (const tenant of slab.tenants) {
      this.admit(tenant);
    }
    slab.tenants.length = 0;
    slab.live = 0;
  }
}

/**
 * A place for the bytes of replaced entries while events and snapshots may still need them. They die roughly in the
 * order in which they came, so a slab is free as a whole when its time is over. Entries that live on for different
 * reasons should not share a graveyard: one of them would keep the slabs of the others.
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
