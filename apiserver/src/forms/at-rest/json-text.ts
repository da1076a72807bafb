const openBrace = 0x7b;
const lineFeed = 0x0a;
const lineEnd = Buffer.from("\n");

/** Reports whether bytes begin as a JSON object. */
export function isJsonText(bytes: Buffer): boolean {
  return bytes[0] === openBrace;
}

/** Reports whether a line feed ends the bytes, as it ends all JSON that kube-apiserver stores. */
export function endsLine(bytes: Buffer): boolean {
  return bytes[bytes.length - 1] === lineFeed;
}

/** Returns JSON with the line feed that kube-apiserver writes. */
export function withLineEnd(json: Buffer): Buffer {
  return Buffer.concat([json, lineEnd]);
}
