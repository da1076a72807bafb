import { promisify } from "node:util";
import { createGunzip, gunzip } from "node:zlib";
import { HttpClientError } from "../errors.js";
import type { HttpResponse } from "./http-request.js";
import { TruncatedBodyError } from "./response-errors.js";

/** Takes the body of an answer as it arrives. */
export interface ResponseBody {
  push(piece: Buffer): void;
  /** All has arrived: the body whole, unpacked. */
  end(): Buffer | Promise<Buffer>;
}

/** Options for receiving a body. */
export interface ResponseBodyOptions {
  /** Bytes, packed or not, beyond which it is refused. */
  readonly maxBytes: number;
  /** True if a compressed body is decompressed. */
  readonly unzip: boolean;
  /** Gets the pieces in place of the answer, which then is empty and has no limit. */
  readonly onBody?: ((piece: Buffer) => void) | undefined;
  /** Called when no more of the body is wanted: HttpClientError `too-large`, TruncatedBodyError, or what `onBody` throws. */
  readonly fail: (error: unknown) => void;
}

/**
 * Opens the receiver of an answer's body. Returns undefined, and calls `fail`, if the headers say that it is too large.
 */
export function openResponseBody(
  { status, headers }: Omit<HttpResponse, "body">,
  options: ResponseBodyOptions,
): ResponseBody | undefined {
  const { maxBytes, fail, onBody } = options;
  if (Number(headers["content-length"] ?? 0) > maxBytes && status !== 304) {
    fail(tooLarge(maxBytes));
    return undefined;
  }
  const isPacked = options.unzip && String(headers["content-encoding"]).toLowerCase() === "gzip";
  if (onBody === undefined || status !== 200) {
    return new CollectedBody(maxBytes, isPacked, fail);
  }
  const pass = (piece: Buffer): void => {
    try {
      onBody(piece);
    } catch (error) {
      fail(error);
    }
  };
  return isPacked ? unpackingBody(pass, fail) : { push: pass, end: () => empty };
}

const empty = Buffer.alloc(0);
/** A shorter body breaks off before it says whether it is compressed. */
const gzipHeaderBytes = 10;
const unpack = promisify(gunzip);

function tooLarge(maxBytes: number): HttpClientError {
  return new HttpClientError("too-large", `the response body is larger than ${maxBytes} bytes`);
}

class CollectedBody implements ResponseBody {
  readonly #maxBytes: number;
  readonly #isPacked: boolean;
  readonly #fail: (error: unknown) => void;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number, isPacked: boolean, fail: (error: unknown) => void) {
    this.#maxBytes = maxBytes;
    this.#isPacked = isPacked;
    this.#fail = fail;
  }

  push(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) {
      this.#fail(tooLarge(this.#maxBytes));
      return;
    }
    this.#pieces.push(piece);
  }

  end(): Buffer | Promise<Buffer> {
    const [first = empty] = this.#pieces;
    const body = this.#pieces.length <= 1 ? first : Buffer.concat(this.#pieces, this.#bytes);
    return this.#isPacked && body.length > 0 ? this.#unpacked(body) : body;
  }

  async #unpacked(body: Buffer): Promise<Buffer> {
    if (body.length < gzipHeaderBytes) {
      throw new TruncatedBodyError();
    }
    try {
      return await unpack(body, { maxOutputLength: this.#maxBytes });
    } catch (error) {
      const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
      throw isTooLarge ? tooLarge(this.#maxBytes) : new TruncatedBodyError({ cause: error });
    }
  }
}

function unpackingBody(onPiece: (piece: Buffer) => void, fail: (error: unknown) => void): ResponseBody {
  const stream = createGunzip();
  stream.on("data", onPiece);
  stream.on("error", (error) => fail(new TruncatedBodyError({ cause: error })));
  return {
    push: (piece) => void stream.write(piece),
    end: () => new Promise((resolve) => stream.once("end", () => resolve(empty)).end()),
  };
}
