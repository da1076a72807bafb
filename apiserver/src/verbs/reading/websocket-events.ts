import { acceptMessageSocket, type MessageSocket } from "@gatehouse/component-base/websocket-channels";
import type { Exchange } from "../../request/exchange.js";
import type { SharedPiece } from "../../request/shared-piece.js";
import type { EventOutput } from "./event-output.js";
import type { FrameWriter } from "./watch-frames.js";

/** Bytes that may wait for the client before the watch does. */
const maxBufferedBytes = 256 * 1024;

/**
 * Answers a watch with a WebSocket, whose every message is an event: text in JSON, binary in protobuf. Subprotocols have
 * no meaning, as in v1.29. Resolves to `undefined` if the client was refused.
 */
export async function openWebSocketEvents(
  exchange: Exchange,
  frames: Pick<FrameWriter, "framesIn" | "isText">,
): Promise<EventOutput | undefined> {
  await exchange.mayBegin(101);
  if (exchange.isClosed) {
    return undefined;
  }
  const accepted = await acceptMessageSocket({
    request: { method: exchange.method, url: exchange.target, headers: exchange.headers },
    takeSocket: (status) => exchange.upgrade(status),
  });
  return accepted && new WebSocketEvents(accepted.socket, frames);
}

class WebSocketEvents implements EventOutput {
  readonly #socket: MessageSocket;
  readonly #frames: Pick<FrameWriter, "framesIn" | "isText">;
  #listener: (() => void) | undefined;

  constructor(socket: MessageSocket, frames: Pick<FrameWriter, "framesIn" | "isText">) {
    this.#socket = socket;
    this.#frames = frames;
  }

  write(piece: Buffer): boolean {
    for (const frame of this.#frames.framesIn(piece)) {
      this.#socket.send(frame, this.#frames.isText, () => this.#drained());
    }
    return this.#socket.bufferedBytes <= maxBufferedBytes;
  }

  writeShared(piece: SharedPiece): boolean {
    return this.write(piece.bytes);
  }

  whenDrained(listener: () => void): void {
    this.#listener = listener;
  }

  end(): void {
    this.#socket.close();
  }

  #drained(): void {
    if (this.#socket.bufferedBytes === 0) {
      const listener = this.#listener;
      this.#listener = undefined;
      listener?.();
    }
  }
}
