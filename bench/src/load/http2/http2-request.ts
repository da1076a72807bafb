import { headersOf, type LoadRequest, numberDigits, numberMark } from "../load-request.js";
import { type NumberedBytes, numberedBytes } from "../numbered-bytes.js";
import { frame, frameFlags, frameHeaderBytes, frameTypes } from "./frame.js";
import { encodeHeaders } from "./header-block.js";

/** A request as frames that are ready but for the stream's number and the request's own. */
export interface Http2Request {
  /** Frames for the first request of a connection. */
  readonly first: Http2RequestFrames;
  /** Frames for later requests. */
  readonly repeated: Http2RequestFrames;
}

export interface Http2RequestFrames extends NumberedBytes {
  /** Offsets of the stream's number. */
  readonly streamIdOffsets: readonly number[];
}

const streamIdAt = 5;
/** Every peer takes frames of this size. */
const maxFrameBytes = 16_384;

/** A request as HTTP/2 writes it, with a body of one frame at the most. */
export function http2Request(request: LoadRequest): Http2Request {
  const { first, repeated } = encodeHeaders(
    [
      [":method", request.method],
      [":scheme", request.isGrpc ? "http" : "https"],
      [":authority", "127.0.0.1"],
      [":path", request.path.replaceAll(numberMark, numberPlace)],
      ...headersOf(request),
    ],
    (value) => value.includes(numberPlace),
  );
  return { first: toFrames(first, request), repeated: toFrames(repeated, request) };
}

/** Stands for the number in a header: as long as it will be, and nothing that a header may hold. */
const numberPlace = "\n".repeat(numberDigits);

function toFrames(block: Buffer, { body, isGrpc }: LoadRequest): Http2RequestFrames {
  const place = block.indexOf(numberPlace);
  const inHeaders = place === -1 ? [] : [frameHeaderBytes + place];
  if (body === undefined) {
    const headers = frame(frameTypes.headers, frameFlags.endHeaders | frameFlags.endStream, 0, block);
    return { bytes: headers, numberOffsets: inHeaders, streamIdOffsets: [streamIdAt] };
  }
  const { bytes, numberOffsets } = numberedBytes(body, isGrpc ? "latin1" : "utf8");
  if (bytes.length > maxFrameBytes || block.length > maxFrameBytes) {
    throw new RangeError("a request of more than two frames");
  }
  const headers = frame(frameTypes.headers, frameFlags.endHeaders, 0, block);
  const bodyAt = headers.length + frameHeaderBytes;
  return {
    bytes: Buffer.concat([headers, frame(frameTypes.data, frameFlags.endStream, 0, bytes)]),
    numberOffsets: [...inHeaders, ...numberOffsets.map((offset) => bodyAt + offset)],
    streamIdOffsets: [streamIdAt, headers.length + streamIdAt],
  };
}
