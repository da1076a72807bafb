import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { constants } from "node:http2";
import { GrpcStatusError, grpcCode } from "../grpc/grpc-status.js";
import { frameMessage, MessageFrames, onlyMessage } from "../grpc/message-frames.js";
import type { GrpcRoute } from "./grpc-service.js";
import { StreamOutput } from "./stream-output.js";

/** Limits of one call, and the receiver of faults. */
export interface CallOptions {
  readonly maxMessageBytes: number;
  /** Called with what a handler has thrown other than GrpcStatusError. */
  readonly onFault: (error: unknown) => void;
}

const okHeaders = { ":status": 200, "content-type": "application/grpc" };
const okTrailers = { "grpc-status": "0" };
/** The date is left out: no client of gRPC reads it, and it costs bytes in each answer. */
const withTrailers = { waitForTrailers: true, sendDate: false };

/** Serves one call of gRPC on a stream of HTTP/2 until it is over. */
export function serveCall(route: GrpcRoute, stream: ServerHttp2Stream, options: CallOptions): void {
  if (route.isStream) {
    serveStream(route, stream, options);
  } else {
    serveUnary(route, stream, options);
  }
}

/** Ends a call with a status and nothing else. */
export function refuseCall(stream: ServerHttp2Stream, error: GrpcStatusError): void {
  if (stream.destroyed || stream.closed) {
    return;
  }
  if (stream.headersSent) {
    stream.once("wantTrailers", () => stream.sendTrailers(trailersOf(error)));
    stream.end();
    return;
  }
  stream.respond({ ...okHeaders, ...trailersOf(error) }, { endStream: true });
  stream.close(constants.NGHTTP2_NO_ERROR);
}

/** Reports whether a request is one of gRPC. */
export function isGrpc(headers: IncomingHttpHeaders): boolean {
  return headers["content-type"]?.startsWith("application/grpc") === true;
}

function serveUnary({ answer }: GrpcRoute, stream: ServerHttp2Stream, options: CallOptions): void {
  const { maxMessageBytes } = options;
  let frames: MessageFrames | undefined;
  let isAnswered = false;
  const fail = (error: unknown): void => {
    isAnswered = true;
    refuseCall(stream, statusOf(error, options));
  };
  const send = (response: Buffer): void => sendAnswer(stream, response);
  const carryOut = (request: Buffer): void => {
    isAnswered = true;
    const response = answer?.(request);
    if (response instanceof Promise) {
      response.then(send, fail);
    } else if (response !== undefined) {
      send(response);
    }
  };
  stream.on("data", (bytes: Buffer) => {
    if (isAnswered) {
      return;
    }
    try {
      const request = frames === undefined ? onlyMessage(bytes, maxMessageBytes) : undefined;
      if (request !== undefined) {
        carryOut(request);
        return;
      }
      frames ??= new MessageFrames(maxMessageBytes);
      const [first] = frames.push(bytes);
      if (first !== undefined) {
        carryOut(first);
      }
    } catch (error) {
      fail(error);
    }
  });
  stream.on("end", () => {
    if (!isAnswered) {
      fail(new GrpcStatusError(grpcCode.internal, "grpc: the call ended without a request"));
    }
  });
}

function sendAnswer(stream: ServerHttp2Stream, response: Buffer): void {
  if (!stream.destroyed) {
    stream.respond(okHeaders, withTrailers);
    stream.on("wantTrailers", sendOkTrailers);
    stream.end(frameMessage(response));
  }
}

function sendOkTrailers(this: ServerHttp2Stream): void {
  this.sendTrailers(okTrailers);
}

function serveStream({ open }: GrpcRoute, stream: ServerHttp2Stream, options: CallOptions): void {
  const frames = new MessageFrames(options.maxMessageBytes);
  const output = new StreamOutput(stream);
  let isEnded = false;
  const end = (error?: unknown): void => {
    if (isEnded) {
      return;
    }
    isEnded = true;
    if (error !== undefined) {
      refuseCall(stream, statusOf(error, options));
    } else if (!stream.destroyed) {
      stream.on("wantTrailers", sendOkTrailers);
      stream.end();
    }
  };
  stream.respond(okHeaders, withTrailers);
  const receiver = open?.({
    send() {
      throw new TypeError("a call of the server sends encoded messages");
    },
    sendEncoded(message) {
      if (!isEnded) {
        output.write(frameMessage(message));
      }
    },
    get pendingBytes() {
      return stream.writableLength;
    },
    drained: () => output.drained(),
    end,
  });
  if (receiver === undefined) {
    end(new GrpcStatusError(grpcCode.unimplemented, "grpc: the method has no handler"));
    return;
  }
  receive(stream, frames, {
    isOver: () => isEnded,
    onMessage: (message) => receiver.onMessage(message),
    onEnd: () => receiver.onEnd(),
    onError: end,
  });
  stream.once("close", () => {
    isEnded = true;
    receiver.onOver();
  });
}

/** Callbacks for the messages of a streaming call. */
interface Receiving {
  /** Reports whether the call is over: what still comes is thrown away. */
  isOver(): boolean;
  onMessage(message: Buffer): void | Promise<void>;
  onEnd(): void;
  onError(error: unknown): void;
}

/**
 * Hands out the messages of a call one after the other: the caller is slowed down, not buffered for. An iterator over the
 * stream would not do, because it destroys the stream on an error, before the status has been sent.
 */
function receive(stream: ServerHttp2Stream, frames: MessageFrames, receiving: Receiving): void {
  const { isOver, onMessage, onEnd, onError } = receiving;
  const handOut = async (bytes: Buffer): Promise<void> => {
    for (const message of frames.push(bytes)) {
      if (!isOver()) {
        await onMessage(message);
      }
    }
  };
  // The end may come while messages are handed out, in spite of the pause.
  let handedOut = Promise.resolve();
  stream.on("data", (bytes: Buffer) => {
    if (!isOver()) {
      stream.pause();
      handedOut = handedOut
        .then(() => handOut(bytes))
        .catch(onError)
        .finally(() => stream.resume());
    }
  });
  stream.on("end", () => {
    void handedOut.then(() => {
      if (isOver()) {
        return;
      }
      if (frames.isAmidst) {
        onError(new GrpcStatusError(grpcCode.internal, "grpc: the call ended amidst a message"));
      } else {
        onEnd();
      }
    });
  });
}

function statusOf(error: unknown, { onFault }: CallOptions): GrpcStatusError {
  if (error instanceof GrpcStatusError) {
    return error;
  }
  onFault(error);
  return new GrpcStatusError(grpcCode.internal, "grpc: the server failed to carry out the call");
}

/** The message is percent-encoded, as the protocol wants it. */
function trailersOf({ code, message }: GrpcStatusError): Record<string, string> {
  const encoded = message.replace(/[^\x20-\x24\x26-\x7e]/gu, (text) => encodeURIComponent(text));
  return { "grpc-status": String(code), "grpc-message": encoded };
}
