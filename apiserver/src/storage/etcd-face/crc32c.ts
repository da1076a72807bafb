const polynomial = 0x82f63b78;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
  }
  return value;
});

/** Returns the CRC-32C (Castagnoli) of the bytes that follow those whose CRC-32C is `before`; 0 for none. */
export function crc32c(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let index = 0; index < bytes.length; index++) {
    crc = (table[(crc ^ (bytes[index] as number)) & 0xff] as number) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
