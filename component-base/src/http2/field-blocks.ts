import { defaultFrameBytes, frameFlag, unpadded } from "./frames.js";
import { type DecodedBlock, FieldDecoder } from "./hpack/field-decoder.js";
import { defaultTableBytes } from "./hpack/static-table.js";
import { errorCode, Http2Error } from "./http2-error.js";

/** The fields that came in a HEADERS frame and those that continue it. */
export interface FieldBlock extends DecodedBlock {
  readonly streamId: number;
  /** True if nothing follows on the stream. */
  readonly isEnd: boolean;
}

/** A block that is not complete. */
interface OpenBlock {
  readonly streamId: number;
  readonly isEnd: boolean;
  readonly pieces: Buffer[];
  bytes: number;
}

/** Pieces of which a block consists at most. Empty ones without end are no use to anybody. */
const maxPieces = 64;

/** Puts the blocks of fields of a connection together, and decodes them (RFC 9113, section 4.3). */
export class FieldBlocks {
  readonly #maxListBytes: number;
  readonly #decoder: FieldDecoder;
  #open: OpenBlock | undefined;

  /** `maxListBytes`: the largest size of the fields of a block. */
  constructor(maxListBytes: number) {
    this.#maxListBytes = maxListBytes;
    this.#decoder = new FieldDecoder({ maxTableBytes: defaultTableBytes, maxListBytes });
  }

  /** The stream whose block is not complete, on which nothing but its continuation may come; undefined if there is none. */
  get openStreamId(): number | undefined {
    return this.#open?.streamId;
  }

  /** Takes a HEADERS frame. Returns its block if that is complete. Throws Http2Error. */
  begin(flags: number, streamId: number, payload: Buffer): FieldBlock | undefined {
    const piece = unpadded(flags, payload, (flags & frameFlag.priority) !== 0 ? 5 : 0);
    const isEnd = (flags & frameFlag.endStream) !== 0;
    if ((flags & frameFlag.endHeaders) !== 0) {
      return this.#decode(streamId, isEnd, piece);
    }
    this.#open = { streamId, isEnd, pieces: [], bytes: 0 };
    return this.#add(this.#open, flags, piece);
  }

  /** Takes a CONTINUATION frame. Returns the block if that is complete now. Throws Http2Error. */
  goOn(flags: number, payload: Buffer): FieldBlock | undefined {
    if (this.#open === undefined) {
      throw new Http2Error(errorCode.protocolError, "a continuation follows no block of fields");
    }
    return this.#add(this.#open, flags, payload);
  }

  #add(block: OpenBlock, flags: number, piece: Buffer): FieldBlock | undefined {
    const { streamId, isEnd, pieces } = block;
    pieces.push(piece);
    block.bytes += piece.length;
    // Fields are hardly longer encoded than decoded.
    if (block.bytes > 2 * this.#maxListBytes + defaultFrameBytes || pieces.length > maxPieces) {
      throw new Http2Error(errorCode.enhanceYourCalm, "a block of fields is too large");
    }
    if ((flags & frameFlag.endHeaders) === 0) {
      return undefined;
    }
    this.#open = undefined;
    return this.#decode(streamId, isEnd, Buffer.concat(pieces, block.bytes));
  }

  #decode(streamId: number, isEnd: boolean, bytes: Buffer): FieldBlock {
    const { fields, isMalformed, isTooLarge } = this.#decoder.decode(bytes);
    return { streamId, isEnd, fields, isMalformed, isTooLarge };
  }
}
