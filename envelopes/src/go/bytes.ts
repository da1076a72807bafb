/** Limit on the shown bytes, above the size of any real request; v1.29 shows them all, each as six characters. */
const maxShownBytes = 64 * 1024;

/** Returns bytes as Go prints them: `[]byte{0x2d, 0x2d}`. */
export function goBytes(bytes: Buffer | undefined): string {
  if (bytes === undefined) {
    return "[]byte(nil)";
  }
  const shown = Array.from(bytes.subarray(0, maxShownBytes), (byte) => `0x${byte.toString(16)}`);
  return `[]byte{${shown.join(", ")}${bytes.length > maxShownBytes ? ", ..." : ""}}`;
}
