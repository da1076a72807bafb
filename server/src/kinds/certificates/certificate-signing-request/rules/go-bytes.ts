/** More than any request has. What is longer is shown in part: v1.29 shows it in six times its size. */
const maxShownBytes = 64 * 1024;

/** Bytes as Go prints them: `[]byte{0x2d, 0x2d}`. */
export function goBytes(bytes: Buffer | undefined): string {
  if (bytes === undefined) {
    return "[]byte(nil)";
  }
  const shown = Array.from(bytes.subarray(0, maxShownBytes), (byte) => `0x${byte.toString(16)}`);
  return `[]byte{${shown.join(", ")}${bytes.length > maxShownBytes ? ", ..." : ""}}`;
}
