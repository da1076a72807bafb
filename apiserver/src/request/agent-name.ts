const maxBytes = 128;
/** Characters to remove: all that do not print, except the plain space. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const plain = /^[ -~]*$/;

/**
 * Returns the program that a User-Agent header names: the printable text before the first slash, in at most 128 bytes.
 */
export function agentName(userAgent: string): string {
  const slash = userAgent.indexOf("/");
  const name = slash < 0 ? userAgent : userAgent.slice(0, slash);
  if (name.length <= maxBytes && plain.test(name)) {
    return name;
  }
  let kept = "";
  let bytes = 0;
  for (const character of name.replace(unprintable, "")) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) {
      break;
    }
    kept += character;
  }
  return kept;
}
