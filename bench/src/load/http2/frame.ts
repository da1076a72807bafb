/** Frame types and flags of RFC 9113, as far as a load generator meets them. */
export const frameTypes = {
  data: 0x0,
  headers: 0x1,
  rstStream: 0x3,
  settings: 0x4,
  ping: 0x6,
  goaway: 0x7,
  windowUpdate: 0x8,
  continuation: 0x9,
} as const;

export const frameFlags = { ack: 0x1, endStream: 0x1, endHeaders: 0x4 } as const;

export const frameHeaderBytes = 9;

/** The largest flow-control window there can be. */
export const maxWindow = 2 ** 31 - 1;

/** A whole frame. */
export function frame(type: number, flags: number, streamId: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(frameHeaderBytes);
  header.writeUIntBE(payload.length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(streamId, 5);
  return Buffer.concat([header, payload]);
}

export function windowUpdate(increment: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(increment);
  return frame(frameTypes.windowUpdate, 0, 0, payload);
}

const initialWindowSize = 0x4;
const defaultWindow = 65_535;

/** Returns the first bytes of a client: the preface, and windows so large that the server never waits for them. */
export function clientPreface(): Buffer {
  const settings = Buffer.alloc(6);
  settings.writeUInt16BE(initialWindowSize, 0);
  settings.writeUInt32BE(maxWindow, 2);
  return Buffer.concat([
    Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    frame(frameTypes.settings, 0, 0, settings),
    windowUpdate(maxWindow - defaultWindow),
  ]);
}
