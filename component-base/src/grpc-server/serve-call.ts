import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { constants } from "node:http2";
import { GrpcStatusError, grpcCode } from "../grpc/grpc-status.js";
import { frameMessage, MessageFrames } from "../grpc/message-frames.js";
import type { GrpcRoute } from "./grpc-service.js";

/** Limits of one call, and the receiver of faults. */
export interface CallOptions {
  readonly maxMessageBytes: number;
  /** Called with what a handler has thrown other than GrpcStatusError. */
  readonly onFault: (error: unknown) => void;
}

const okHeaders = { ":status": 200, "content-type": "application/grpc" };
const okTrailers = { "grpc-status": "0" };
const withTrailers = { waitForTrailers: true };

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
  const frames = new MessageFrames(options.maxMessageBytes);
  let isAnswered = false;
  const call = {
    get isOver() {
      return stream.destroyed;
    },
  };
  const fail = (error: unknown): void => refuseCall(stream, statusOf(error, options));
  const send = (response: Buffer): void => {
    if (!stream.destroyed) {
      stream.respond(okHeaders, withTrailers);
      stream.once("wantTrailers", () => stream.sendTrailers(okTrailers));
      stream.end(frameMessage(response));
    }
  };
  stream.on("data", (bytes: Buffer) => {
    try {
      const [request] = frames.push(bytes);
      if (request === undefined || isAnswered) {
        return;
      }
      isAnswered = true;
      const response = answer?.(request, call);
      if (response instanceof Promise) {
        response.then(send, fail);
      } else if (response !== undefined) {
        send(response);
      }
    } catch (error) {
      isAnswered = true;
      fail(error);
    }
  });
  stream.on("end", () => {
    if (!isAnswered) {
      fail(new GrpcStatusError(grpcCode.internal, "grpc: the call ended without a request"));
    }
  });
}

function serveStream({ open }: GrpcRoute, stream: ServerHttp2Stream, options: CallOptions): void {
  const frames = new MessageFrames(options.maxMessageBytes);
  let isEnded = false;
  const end = (error?: unknown): void => {
    if (isEnded) {
      return;
    }
    isEnded = true;
    if (error !== undefined) {
      refuseCall(stream, statusOf(error, options));
    } else if (!stream.destroyed) {
      stream.once("wantTrailers", () => stream.sendTrailers(okTrailers));
      stream.end();
    }
  };
  stream.respond(okHeaders, withTrailers);
  const receiver = open?.({
    send() {
      throw new TypeError("a call of the server sends encoded messages");
    },
    sendEncoded(message) {
      if (!isEnded && !stream.destroyed) {
        stream.write(frameMessage(message));
      }
    },
    get pendingBytes() {
      return stream.writableLength;
    },
    drained: () => drained(stream),
    end,
  });
  if (receiver === undefined) {
    end(new GrpcStatusError(grpcCode.unimplemented, "grpc: the method has no handler"));
    return;
  }
  void receive(stream, frames, (message) => receiver.onMessage(message)).then(
    () => receiver.onEnd(),
    (error: unknown) => {
      if (!stream.destroyed) {
        end(error); // otherwise the caller has gone, which is no fault
      }
    },
  );
  stream.once("close", () => {
    isEnded = true;
    receiver.onOver();
  });
}

/** Hands out the messages of a call one after the other: the caller is slowed down, not buffered for. */
async function receive(
  stream: ServerHttp2Stream,
  frames: MessageFrames,
  onMessage: (message: Buffer) => void | Promise<void>,
): Promise<void> {
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    for (const message of frames.push(bytes)) {
      await onMessage(message);
    }
  }
}

function drained(stream: ServerHttp2Stream): Promise<void> {
  if (stream.destroyed || stream.writableLength === 0) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const finish = (): void => {
      stream.off("drain", finish);
      stream.off("close", finish);
      resolve();
    };
    stream.on("drain", finish);
    stream.on("close", finish);
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
