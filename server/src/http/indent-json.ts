/** Documents that would become larger by indentation stay as they are: deep ones can grow a thousandfold. */
const maxIndentedBytes = 64 * 1024 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const space = 0x20;
const newline = 0x0a;

/**
 * Indents JSON by two spaces, as Go does. The document must be without white space, as encoders make it; it is not
 * parsed, so that every number and key stays as it is.
 */
export function indentJson(json: Buffer): Buffer {
  const length = indentInto(json, undefined);
  if (length > maxIndentedBytes) {
    return json;
  }
  const indented = Buffer.allocUnsafe(length);
  indentInto(json, indented);
  return indented;
}

/** Writes the indented document, or only counts its bytes when there is nowhere to write them. */
function indentInto(json: Buffer, out: Buffer | undefined): number {
  let at = 0;
  let depth = 0;
  const breakLine = (): void => {
    if (out !== undefined) {
      out[at] = newline;
      out.fill(space, at + 1, at + 1 + 2 * depth);
    }
    at += 1 + 2 * depth;
  };
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] as number;
    if (byte === quote) {
      const end = endOfString(json, i);
      out?.set(json.subarray(i, end), at);
      at += end - i;
      i = end - 1;
      continue;
    }
    const closes = isClosing(byte);
    if (closes && !isOpening(json[i - 1])) {
      depth--;
      breakLine();
    }
    if (out !== undefined) {
      out[at] = byte;
    }
    at++;
    if (byte === comma) {
      breakLine();
    } else if (byte === colon) {
      if (out !== undefined) {
        out[at] = space;
      }
      at++;
    } else if (isOpening(byte) && !isClosing(json[i + 1])) {
      depth++;
      breakLine();
    }
  }
  return at;
}

function isOpening(byte: number | undefined): boolean {
  return byte === 0x7b || byte === 0x5b;
}

function isClosing(byte: number | undefined): boolean {
  return byte === 0x7d || byte === 0x5d;
}

/** Behind the closing quote. */
function endOfString(json: Buffer, start: number): number {
  for (let i = start + 1; i < json.length; i++) {
    if (json[i] === backslash) {
      i++;
    } else if (json[i] === quote) {
      return i + 1;
    }
  }
  return json.length;
}
