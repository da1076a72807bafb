import { SpdyProtocolError } from "./errors.js";
import { controlType, finFlag, frameHeaderBytes, type SpdyFrame } from "./frames.js";
import { decodeHeaderBlock, type SpdyHeaders } from "./header-block.js";
import { HeaderDecompressor } from "./header-compression.js";

/** The length that a control frame may have. Those of the peers in the field have less than 1 KiB. */
const maxControlBytes = 64 * 1024;

const protocolVersion = 3;

interface ControlHeader {
  readonly type: number;
  readonly flags: number;
  readonly length: number;
}

/** Decodes the frames of one direction of a connection. */
export class FrameDecoder {
  readonly #decompressor = new HeaderDecompressor();
  /** The beginning of a header or of a control frame, until the rest is there. */
  #kept = Buffer.alloc(frameHeaderBytes);
  #keptBytes = 0;
  #control: ControlHeader | undefined;
  #data: { readonly streamId: number; readonly fin: boolean; remaining: number } | undefined;

  /** Yields the frames that the bytes complete. Throws SpdyProtocolError for frames that are not well-formed. */
  *decode(bytes: Buffer): Generator<SpdyFrame> {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.#data !== undefined) {
        const piece = rest.subarray(0, this.#data.remaining);
        rest = rest.subarray(piece.length);
        yield this.#dataPiece(piece, this.#data);
        continue;
      }
      const taken = rest.copy(this.#kept, this.#keptBytes);
      this.#keptBytes += taken;
      rest = rest.subarray(taken);
      if (this.#keptBytes < this.#kept.length) {
        return;
      }
      const whole = this.#kept;
      const frame = this.#control === undefined ? this.#begin(whole) : this.#complete(this.#control, whole);
      this.#kept = Buffer.alloc(this.#control?.length ?? frameHeaderBytes);
      this.#keptBytes = 0;
      if (frame !== undefined) {
        yield frame;
      }
    }
  }

  /** Reports whether the bytes so far end with a whole frame. */
  get isBetweenFrames(): boolean {
    return this.#keptBytes === 0 && this.#control === undefined && this.#data === undefined;
  }

  #dataPiece(data: Buffer, frame: { readonly streamId: number; readonly fin: boolean; remaining: number }): SpdyFrame {
    frame.remaining -= data.length;
    const isLast = frame.remaining === 0;
    if (isLast) {
      this.#data = undefined;
    }
    return { type: "data", streamId: frame.streamId, data, fin: isLast && frame.fin };
  }

  /** Reads the header of a frame; returns the frame if it consists of nothing else. */
  #begin(header: Buffer): SpdyFrame | undefined {
    const first = header.readUInt32BE(0);
    const flags = header.readUInt8(4);
    const length = header.readUIntBE(5, 3);
    if (first < 0x80000000) {
      return this.#beginData(first, flags, length);
    }
    const version = (first >>> 16) & 0x7fff;
    const type = first & 0xffff;
    if (version !== protocolVersion) {
      throw new SpdyProtocolError(`a control frame has version ${version}, not ${protocolVersion}`);
    }
    if (length > maxControlBytes) {
      throw new SpdyProtocolError(`a control frame of ${length} bytes is longer than ${maxControlBytes}`);
    }
    const control = { type, flags, length };
    if (length === 0) {
      return this.#complete(control, Buffer.alloc(0));
    }
    this.#control = control;
    return undefined;
  }

  #beginData(streamId: number, flags: number, length: number): SpdyFrame | undefined {
    if (streamId === 0) {
      throw new SpdyProtocolError("a data frame names no stream");
    }
    const frame = { streamId, fin: (flags & finFlag) !== 0, remaining: length };
    if (length === 0) {
      return this.#dataPiece(Buffer.alloc(0), frame);
    }
    this.#data = frame;
    return undefined;
  }

  #complete({ type, flags }: ControlHeader, body: Buffer): SpdyFrame {
    this.#control = undefined;
    const fin = (flags & finFlag) !== 0;
    switch (type) {
      case controlType.synStream: {
        atLeast("SYN_STREAM", body, 10);
        // Stream, associated stream, priority and slot stand before the headers.
        return { type: "syn-stream", streamId: streamIdOf(body), fin, headers: this.#headers(body.subarray(10)) };
      }
      case controlType.synReply:
      case controlType.headers: {
        atLeast(type === controlType.synReply ? "SYN_REPLY" : "HEADERS", body, 4);
        // Read though nobody asks for them: the next block refers to this one.
        this.#headers(body.subarray(4));
        return { type: type === controlType.synReply ? "syn-reply" : "headers", streamId: streamIdOf(body), fin };
      }
      case controlType.rstStream:
        exactly("RST_STREAM", body, 8);
        return { type: "rst-stream", streamId: streamIdOf(body), status: body.readUInt32BE(4) };
      case controlType.ping:
        exactly("PING", body, 4);
        return { type: "ping", id: body.readUInt32BE(0) };
      case controlType.goAway:
        exactly("GOAWAY", body, 8);
        return { type: "go-away", status: body.readUInt32BE(4) };
      case controlType.settings:
        atLeast("SETTINGS", body, 4);
        exactly("SETTINGS", body, 4 + 8 * body.readUInt32BE(0));
        return { type: "ignored" };
      case controlType.windowUpdate:
        exactly("WINDOW_UPDATE", body, 8);
        return { type: "ignored" };
      default:
        throw new SpdyProtocolError(`there is no control frame of type ${type}`);
    }
  }

  #headers(compressed: Buffer): SpdyHeaders {
    return decodeHeaderBlock(this.#decompressor.decompress(compressed));
  }
}

function streamIdOf(body: Buffer): number {
  const id = body.readUInt32BE(0) & 0x7fffffff;
  if (id === 0) {
    throw new SpdyProtocolError("a control frame of a stream names none");
  }
  return id;
}

function atLeast(name: string, body: Buffer, length: number): void {
  if (body.length < length) {
    throw new SpdyProtocolError(`a ${name} frame has ${body.length} bytes, fewer than ${length}`);
  }
}

function exactly(name: string, body: Buffer, length: number): void {
  if (body.length !== length) {
    throw new SpdyProtocolError(`a ${name} frame has ${body.length} bytes, not ${length}`);
  }
}
