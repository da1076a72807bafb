/** Characters of a path that may stand as they are written. */
const plainPath = /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]%/]*$/;

/** Characters that Go leaves as they are where it writes a path anew. */
const unescaped = /[^A-Za-z0-9\-_.~$&+,/:;=@]/g;

/** Returns a path as Go's `EscapedPath`: as it is written if it may be, otherwise escaped anew. */
export function escapedPath(path: string): string {
  if (plainPath.test(path)) {
    return path;
  }
  return decodedBytes(path).replace(unescaped, escapeOf);
}

function escapeOf(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** Returns the bytes that a text with escapes stands for, one character for each byte. */
function decodedBytes(text: string): string {
  return Buffer.from(text)
    .toString("latin1")
    .replace(/%([0-9a-fA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Decodes a part of a query, where `+` stands for a space; undefined if an escape is wrong. */
export function decodeQueryPart(text: string): string | undefined {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) {
    return undefined;
  }
  const spaced = text.replaceAll("+", " ");
  return spaced.includes("%") ? Buffer.from(decodedBytes(spaced), "latin1").toString() : spaced;
}
