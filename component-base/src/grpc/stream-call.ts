import type { ClientHttp2Stream } from "node:http2";
import type { GrpcCallError } from "./call-error.js";
import { type CallCarrier, ClientCall } from "./client-call.js";
import type { MessageInput } from "./message-codec.js";
import { frameMessage } from "./message-frames.js";
import type { Method } from "./method.js";

/** The receiver of the messages of a call with streams in both directions. */
export interface StreamListener<Response> {
  onMessage(message: Response): void;
  /** Called once when the server has ended the call or it has failed; without an error for OK. */
  onEnd(error: GrpcCallError | undefined): void;
}

/** A call with streams in both directions. */
export class StreamCall<Request, Response> {
  readonly #stream: ClientHttp2Stream;
  readonly #call: ClientCall;
  readonly #encode: (message: MessageInput<Request>) => Buffer;

  constructor(
    stream: ClientHttp2Stream,
    carrier: CallCarrier,
    { method, listener }: { readonly method: Method<Request, Response>; readonly listener: StreamListener<Response> },
  ) {
    const { requestSerialize, responseDeserialize } = method;
    this.#stream = stream;
    this.#encode = requestSerialize;
    this.#call = new ClientCall(stream, carrier, {
      onMessage: (message) => listener.onMessage(responseDeserialize(message)),
      onStatus: (error) => listener.onEnd(error),
    });
  }

  /** Sends a message. */
  write(message: MessageInput<Request>): void {
    this.#stream.write(frameMessage(this.#encode(message)));
  }

  /** Leaves messages on the wire until `resume`; those that have been received already are still delivered. */
  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  get isPaused(): boolean {
    return this.#stream.isPaused();
  }

  /** Ends the call; the listener hears nothing any more. */
  cancel(): void {
    this.#call.cancel();
  }
}
