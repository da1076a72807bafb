/**
 * Sizes, offsets and flags of a bbolt file (version 2), as a little-endian machine writes it. A file is pages; a page is a
 * header (number 8, flags 2, count 2, further pages 4) and elements, whose keys and values follow them:
 *
 *   branch   position from the element 4, key length 4, page 8
 *   leaf     flags 4, position from the element 4, key length 4, value length 4
 *   meta     magic 4, version 4, page size 4, flags 4, root bucket 16, free list 8, number of pages 8, transaction 8,
 *            FNV-1a of these 64 bytes 8
 *   bucket   root page 8 (0: a page follows in the same value), sequence 8
 */
export const pageHeaderBytes = 16;
export const branchElementBytes = 16;
export const leafElementBytes = 16;
export const bucketBytes = 16;
export const metaBytes = 64;

export const branchFlag = 0x01;
export const leafFlag = 0x02;
export const metaFlag = 0x04;
export const freeListFlag = 0x10;
export const bucketElementFlag = 0x01;

export const boltMagic = 0xed0cdaed;
export const boltVersion = 2;

/** Returns the checksum of a meta page's fields. */
export function fnv1a(bytes: Buffer): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash;
}
