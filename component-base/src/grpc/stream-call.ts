import type { Http2Stream, StreamReceiver } from "../http2/index.js";
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
  #stream: Http2Stream | undefined;
  readonly #call: ClientCall;
  readonly #encode: (message: MessageInput<Request>) => Buffer;

  constructor(
    carrier: CallCarrier,
    { method, listener }: { readonly method: Method<Request, Response>; readonly listener: StreamListener<Response> },
  ) {
    const { requestSerialize, responseDeserialize } = method;
    this.#encode = requestSerialize;
    this.#call = new ClientCall(carrier, {
      onMessage: (message) => listener.onMessage(responseDeserialize(message)),
      onStatus: (error) => listener.onEnd(error),
    });
  }

  /** The receiver of the call's stream. */
  get receiver(): StreamReceiver {
    return this.#call;
  }

  /** Takes the stream of the call. */
  begin(stream: Http2Stream): void {
    this.#stream = stream;
    this.#call.begin(stream);
  }

  /** Sends a message. */
  write(message: MessageInput<Request>): void {
    this.#stream?.write(frameMessage(this.#encode(message)));
  }

  /** Leaves messages undelivered until `resume`; those of the piece that is being delivered still come. */
  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  get isPaused(): boolean {
    return this.#stream?.isPaused === true;
  }

  /** Ends the call; the listener hears nothing any more. */
  cancel(): void {
    this.#call.cancel();
  }
}
