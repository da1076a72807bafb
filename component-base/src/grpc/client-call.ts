import { errorCode, fieldValue, type Http2Stream, type StreamReceiver } from "../http2/index.js";
import { decodeStatusMessage, errorOfHttpStatus, errorOfReset, GrpcCallError } from "./call-error.js";
import { GrpcStatusError, grpcCode } from "./grpc-status.js";
import { MessageFrames } from "./message-frames.js";

/** The part of a connection that a call on it needs. */
export interface CallCarrier {
  /** Largest message of a server in bytes. */
  readonly maxMessageBytes: number;
  /** Returns the error of a call whose connection has been lost; undefined while it lives. */
  lossOf(stream: Http2Stream): GrpcCallError | undefined;
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
export class ClientCall implements StreamReceiver {
  readonly #carrier: CallCarrier;
  readonly #receiver: CallReceiver;
  readonly #frames: MessageFrames;
  #stream: Http2Stream | undefined;
  #httpStatus = 0;
  #isOk = false;
  #isOver = false;

  constructor(carrier: CallCarrier, receiver: CallReceiver) {
    this.#carrier = carrier;
    this.#receiver = receiver;
    this.#frames = new MessageFrames(carrier.maxMessageBytes);
  }

  /** Takes the stream of the call, before anything has come on it. */
  begin(stream: Http2Stream): void {
    this.#stream = stream;
  }

  /** Gives the call up: the server is told so, and the receiver hears nothing any more. */
  cancel(): void {
    this.#isOver = true;
    this.#stream?.reset(errorCode.cancel);
  }

  onHead(fields: readonly string[]): void {
    this.#httpStatus = Number(fields[1]);
    this.#takeStatus(fields);
  }

  onData(bytes: Buffer): void {
    this.#take(bytes);
  }

  onTrailers(fields: readonly string[]): void {
    this.#takeStatus(fields);
  }

  onEnd(): void {
    if (!this.#isOver) {
      this.#end(this.#isOk ? this.#errorOfEnd() : this.#errorWithoutStatus());
    }
    // A server may end a call whose caller would still send.
    if (this.#stream?.hasSentAll === false) {
      this.#stream.reset(errorCode.noError);
    }
  }

  onClose(code: number): void {
    if (!this.#isOver) {
      this.#end(this.#errorOfClose(code));
    }
    this.#carrier.callClosed();
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
      this.#stream?.reset(errorCode.cancel);
    }
  }

  #takeStatus(fields: readonly string[]): void {
    const status = fieldValue(fields, "grpc-status");
    if (status === undefined || this.#isOver) {
      return; // the end says why
    }
    const code = Number(status);
    if (code === grpcCode.ok) {
      this.#isOk = true;
      return;
    }
    const text = decodeStatusMessage(fieldValue(fields, "grpc-message") ?? "");
    this.#end(new GrpcCallError(Number.isInteger(code) ? code : grpcCode.unknown, text));
  }

  #errorOfEnd(): GrpcCallError | undefined {
    return this.#frames.isAmidst
      ? new GrpcCallError(grpcCode.internal, "the server ended the call amidst a message")
      : undefined;
  }

  #errorOfClose(code: number): GrpcCallError {
    const lost = this.#stream === undefined ? undefined : this.#carrier.lossOf(this.#stream);
    return lost ?? errorOfReset(code);
  }

  #errorWithoutStatus(): GrpcCallError {
    return this.#httpStatus === okStatus
      ? new GrpcCallError(grpcCode.internal, "the server ended the call without a status")
      : errorOfHttpStatus(this.#httpStatus);
  }

  #end(error: GrpcCallError | undefined): void {
    this.#isOver = true;
    this.#receiver.onStatus(error);
  }
}

const okStatus = 200;

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
