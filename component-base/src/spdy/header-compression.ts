import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { headerDictionary, headerDictionaryId } from "./dictionary.js";
import { SpdyProtocolError } from "./errors.js";

// All header blocks of one direction form one zlib stream, flushed to a byte boundary after each block. Each block is coded
// on its own here, with the text before it as the dictionary. That needs no asynchronous stream of zlib.

/** The reach of references back into the text before. */
const windowBytes = 32 * 1024;

/** The size that the header block of one frame may have when decompressed. */
const maxBlockBytes = 64 * 1024;

/** Deflate with a window of 32 KiB at the default level, and a dictionary whose id follows. */
const zlibHeader = Buffer.from([0x78, 0xbb, 0, 0, 0, 0]);
zlibHeader.writeUInt32BE(headerDictionaryId, 2);

const dictionaryFlag = 0x20;

/** Compresses the header blocks that one side of a connection sends. */
export class HeaderCompressor {
  #window = headerDictionary;
  #started = false;

  compress(block: Buffer): Buffer {
    const deflated = deflateRawSync(block, { dictionary: this.#window, finishFlush: constants.Z_SYNC_FLUSH });
    this.#window = slide(this.#window, block);
    if (this.#started) {
      return deflated;
    }
    this.#started = true;
    return Buffer.concat([zlibHeader, deflated]);
  }
}

/** Decompresses the header blocks that one side of a connection receives. Throws SpdyProtocolError for bad ones. */
export class HeaderDecompressor {
  #window: Buffer | undefined;

  decompress(compressed: Buffer): Buffer {
    let body = compressed;
    if (this.#window === undefined) {
      const { dictionary, headerBytes } = readZlibHeader(compressed);
      this.#window = dictionary;
      body = compressed.subarray(headerBytes);
    }
    const block = inflate(body, this.#window);
    this.#window = slide(this.#window, block);
    return block;
  }
}

function inflate(body: Buffer, dictionary: Buffer): Buffer {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxBlockBytes };
  try {
    return inflateRawSync(body, dictionary.length === 0 ? options : { ...options, dictionary });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SpdyProtocolError(
      code === "ERR_BUFFER_TOO_LARGE"
        ? `a header block is larger than ${maxBlockBytes} bytes`
        : `a header block cannot be decompressed: ${message}`,
      { cause: error },
    );
  }
}

function readZlibHeader(bytes: Buffer): { dictionary: Buffer; headerBytes: number } {
  const [method = 0, flags = 0] = bytes;
  if (bytes.length < 2 || (method & 0x0f) !== 8 || (method * 256 + flags) % 31 !== 0) {
    throw new SpdyProtocolError("the first header block does not begin with a zlib header");
  }
  if ((flags & dictionaryFlag) === 0) {
    return { dictionary: Buffer.alloc(0), headerBytes: 2 };
  }
  if (bytes.length < 6 || bytes.readUInt32BE(2) !== headerDictionaryId) {
    throw new SpdyProtocolError("the header blocks are compressed with an unknown dictionary");
  }
  return { dictionary: headerDictionary, headerBytes: 6 };
}

function slide(window: Buffer, block: Buffer): Buffer {
  return Buffer.concat([window, block]).subarray(-windowBytes);
}
