import { MultiplexedStream, type StreamSender } from "../multiplexing/multiplexed-stream.js";
import type { SpdyHeaders } from "./header-block.js";

/** The frame that began a stream. */
export interface StreamBeginning {
  readonly id: number;
  readonly headers: SpdyHeaders;
  /** True if the frame ended the direction of this side. */
  readonly ended: boolean;
}

/**
 * One stream of a SPDY connection. Its directions end separately: `end()` ends the one, and the peer the other. `destroy()`
 * resets the stream. After a reset by the peer, or the end of the connection, what was received can be read to its end,
 * and writing fails with SpdyStreamClosedError. Errors need no listener.
 */
export class SpdyStream extends MultiplexedStream {
  readonly id: number;
  readonly headers: SpdyHeaders;

  constructor(sender: StreamSender, { id, headers, ended }: StreamBeginning) {
    super(sender, ended);
    this.id = id;
    this.headers = headers;
  }
}
