import { SpdyProtocolError } from "./errors.js";

/** Headers of a stream. Names are in lower case; several values of one name are separated by NUL. */
export type SpdyHeaders = ReadonlyMap<string, string>;

/** Headers that one stream may have. */
const maxHeaders = 128;

/** Encodes headers as a name/value block, before compression. Names are sent in lower case. */
export function encodeHeaderBlock(headers: SpdyHeaders): Buffer {
  const parts = [uint32(headers.size)];
  for (const [name, value] of headers) {
    for (const text of [Buffer.from(name.toLowerCase()), Buffer.from(value)]) {
      parts.push(uint32(text.length), text);
    }
  }
  return Buffer.concat(parts);
}

/** Decodes a name/value block after decompression. Throws SpdyProtocolError for a block that is not well-formed. */
export function decodeHeaderBlock(block: Buffer): SpdyHeaders {
  let at = 0;
  const number = (): number => {
    if (at + 4 > block.length) {
      throw new SpdyProtocolError("a header block ends within a length");
    }
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const text = (): string => {
    const length = number();
    if (length > block.length - at) {
      throw new SpdyProtocolError(`a header of ${length} bytes does not fit into its block`);
    }
    at += length;
    return block.toString("utf8", at - length, at);
  };
  const count = number();
  if (count > maxHeaders) {
    throw new SpdyProtocolError(`${count} headers are more than ${maxHeaders}`);
  }
  const headers = new Map<string, string>();
  for (let index = 0; index < count; index++) {
    const name = text();
    if (name === "" || name !== name.toLowerCase()) {
      throw new SpdyProtocolError(`the header name ${JSON.stringify(name)} is not in lower case, or empty`);
    }
    if (headers.has(name)) {
      throw new SpdyProtocolError(`the header ${JSON.stringify(name)} is there twice`);
    }
    headers.set(name, text());
  }
  if (at !== block.length) {
    throw new SpdyProtocolError(`a header block has ${block.length - at} bytes after its last header`);
  }
  return headers;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
