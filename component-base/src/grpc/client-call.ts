import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from "node:http2";
import { decodeStatusMessage, errorOfHttpStatus, errorOfReset, GrpcCallError } from "./call-error.js";
import { GrpcStatusError, grpcCode } from "./grpc-status.js";
import { MessageFrames } from "./message-frames.js";

/** The part of a connection that a call on it needs. */
export interface CallCarrier {
  /** Largest message of a server in bytes. */
  readonly maxMessageBytes: number;
  /** Returns the error of a call whose connection has been lost; undefined while it lives. */
  lossOf(stream: ClientHttp2Stream): GrpcCallError | undefined;
  /** Called when the stream of a call is closed. */
  callClosed(): void;
}

/** The receiver of what a server answers. */
export interface CallReceiver {
  /** Called with each message. An error that it throws ends the call. */
  onMessage(message: Buffer): void;
  /** Called once, when the server has told its status or none can come; without an error for OK. */
  onStatus(error: GrpcCallError | undefined): void;
}

/** Receives one call on a stream of HTTP/2: messages, and the status at the end. */
export class ClientCall {
  readonly #stream: ClientHttp2Stream;
  readonly #carrier: CallCarrier;
  readonly #receiver: CallReceiver;
  readonly #frames: MessageFrames;
  #httpStatus = 0;
  #isOk = false;
  #isOver = false;

  constructor(stream: ClientHttp2Stream, carrier: CallCarrier, receiver: CallReceiver) {
    this.#stream = stream;
    this.#carrier = carrier;
    this.#receiver = receiver;
    this.#frames = new MessageFrames(carrier.maxMessageBytes);
    stream.on("response", (headers, flags) => {
      this.#httpStatus = headers[":status"] ?? 0;
      if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) {
        this.#takeStatus(headers);
      }
    });
    stream.on("data", (bytes: Buffer) => this.#take(bytes));
    stream.on("trailers", (headers) => this.#takeStatus(headers));
    stream.on("error", ignore); // `close` follows
    stream.on("close", () => this.#closed());
  }

  /** Gives the call up: the server is told so, and the receiver hears nothing any more. */
  cancel(): void {
    this.#isOver = true;
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  #take(bytes: Buffer): void {
    if (this.#isOver) {
      return;
    }
    try {
      if (this.#httpStatus !== okStatus) {
        throw errorOfHttpStatus(this.#httpStatus); // the body is that of a proxy
      }
      for (const message of this.#frames.push(bytes)) {
        if (!this.#isOver) {
          this.#receiver.onMessage(message);
        }
      }
    } catch (error) {
      this.#end(callErrorOf(error));
      this.#stream.close(constants.NGHTTP2_CANCEL);
    }
  }

  #takeStatus(headers: IncomingHttpHeaders): void {
    const status = headers["grpc-status"];
    if (status === undefined || this.#isOver) {
      return; // `close` says why
    }
    const code = Number(status);
    if (code !== grpcCode.ok) {
      const isCode = Number.isInteger(code);
      const text = decodeStatusMessage(String(headers["grpc-message"] ?? ""));
      this.#end(new GrpcCallError(isCode ? code : grpcCode.unknown, text));
      return;
    }
    this.#isOk = true;
    if (this.#stream.readableLength === 0 && !this.#stream.isPaused()) {
      this.#end(this.#errorOfEnd());
    }
  }

  #closed(): void {
    if (!this.#isOver) {
      this.#end(this.#isOk ? this.#errorOfEnd() : this.#errorOfClose());
    }
    this.#carrier.callClosed();
  }

  #errorOfEnd(): GrpcCallError | undefined {
    return this.#frames.isAmidst
      ? new GrpcCallError(grpcCode.internal, "the server ended the call amidst a message")
      : undefined;
  }

  #errorOfClose(): GrpcCallError {
    const lost = this.#carrier.lossOf(this.#stream);
    if (lost !== undefined) {
      return lost;
    }
    if (this.#stream.rstCode !== constants.NGHTTP2_NO_ERROR) {
      return errorOfReset(this.#stream.rstCode);
    }
    return this.#httpStatus !== 0 && this.#httpStatus !== okStatus
      ? errorOfHttpStatus(this.#httpStatus)
      : new GrpcCallError(grpcCode.internal, "the server ended the call without a status");
  }

  #end(error: GrpcCallError | undefined): void {
    this.#isOver = true;
    this.#receiver.onStatus(error);
  }
}

const okStatus = 200;

function ignore(): void {}

/** Returns the error that a call ends with when its answer cannot be taken. */
function callErrorOf(error: unknown): GrpcCallError {
  if (error instanceof GrpcCallError) {
    return error;
  }
  const { message } = error as Error;
  return error instanceof GrpcStatusError
    ? new GrpcCallError(error.code, message)
    : new GrpcCallError(grpcCode.internal, `Error deserializing the answer: ${message}`, { cause: error });
}
