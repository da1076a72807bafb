/** A peer that breaks the protocol. It ends the connection. */
export class SpdyProtocolError extends Error {
  override readonly name = "SpdyProtocolError";
}

/** A stream that cannot be written to any more, since the peer has reset it or the connection has ended. */
export class SpdyStreamClosedError extends Error {
  override readonly name = "SpdyStreamClosedError";
}
