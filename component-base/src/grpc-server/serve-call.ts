import { GrpcStatusError, grpcCode } from "../grpc/grpc-status.js";
import { frameMessage, MessageFrames, onlyMessage } from "../grpc/message-frames.js";
import { fieldValue, type Http2Stream, noReceiver, type StreamReceiver } from "../http2/index.js";
import { drained } from "./drained.js";
import type { GrpcRoute } from "./grpc-service.js";

/** Limits of one call, and the receiver of faults. */
export interface CallOptions {
  readonly maxMessageBytes: number;
  /** Called with what a handler has thrown other than GrpcStatusError. */
  readonly onFault: (error: unknown) => void;
}

const okHead = [":status", "200", "content-type", "application/grpc"];
const okTrailers = ["grpc-status", "0"];

/** Serves one call of gRPC on a stream of HTTP/2 until it is over. */
export function serveCall(route: GrpcRoute, stream: Http2Stream, options: CallOptions): StreamReceiver {
  return route.isStream ? serveStream(route, stream, options) : serveUnary(route, stream, options);
}

/** Ends a call with a status and nothing else. */
export function refuseCall(stream: Http2Stream, error: GrpcStatusError): StreamReceiver {
  stream.respond([...okHead, ...trailersOf(error)], true);
  return noReceiver;
}

/** Reports whether a request is one of gRPC. */
export function isGrpc(fields: readonly string[]): boolean {
  return fieldValue(fields, "content-type")?.startsWith("application/grpc") === true;
}

function serveUnary({ answer }: GrpcRoute, stream: Http2Stream, options: CallOptions): StreamReceiver {
  const { maxMessageBytes } = options;
  let frames: MessageFrames | undefined;
  let isAnswered = false;
  const fail = (error: unknown): void => {
    isAnswered = true;
    refuseCall(stream, statusOf(error, options));
  };
  const send = (response: Buffer): void => {
    stream.respond(okHead, false);
    stream.end(frameMessage(response), okTrailers);
  };
  const carryOut = (request: Buffer): void => {
    isAnswered = true;
    const response = answer?.(request);
    if (response instanceof Promise) {
      response.then(send, fail);
    } else if (response !== undefined) {
      send(response);
    }
  };
  return {
    ...noReceiver,
    onData(bytes) {
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
    },
    onEnd() {
      if (!isAnswered) {
        fail(new GrpcStatusError(grpcCode.internal, "grpc: the call ended without a request"));
      }
    },
  };
}

function serveStream({ open }: GrpcRoute, stream: Http2Stream, options: CallOptions): StreamReceiver {
  const frames = new MessageFrames(options.maxMessageBytes);
  let isEnded = false;
  const end = (error?: unknown): void => {
    if (!isEnded) {
      isEnded = true;
      stream.end(undefined, error === undefined ? okTrailers : trailersOf(statusOf(error, options)));
    }
  };
  stream.respond(okHead, false);
  const receiver = open?.({
    send() {
      throw new TypeError("a call of the server sends encoded messages");
    },
    sendEncoded(message) {
      if (!isEnded) {
        stream.write(frameMessage(message));
      }
    },
    get pendingBytes() {
      return stream.pendingBytes;
    },
    drained: () => drained(stream),
    end,
  });
  if (receiver === undefined) {
    end(new GrpcStatusError(grpcCode.unimplemented, "grpc: the method has no handler"));
    return noReceiver;
  }
  const handOut = async (bytes: Buffer): Promise<void> => {
    for (const message of frames.push(bytes)) {
      if (!isEnded) {
        await receiver.onMessage(message);
      }
    }
  };
  return {
    ...noReceiver,
    // Messages are handed out one after the other: the caller is slowed down, not buffered for.
    onData(bytes) {
      if (!isEnded) {
        stream.pause();
        handOut(bytes)
          .catch(end)
          .finally(() => stream.resume());
      }
    },
    onEnd() {
      if (isEnded) {
        return;
      }
      if (frames.isAmidst) {
        end(new GrpcStatusError(grpcCode.internal, "grpc: the call ended amidst a message"));
      } else {
        receiver.onEnd();
      }
    },
    onClose() {
      isEnded = true;
      receiver.onOver();
    },
  };
}

function statusOf(error: unknown, { onFault }: CallOptions): GrpcStatusError {
  if (error instanceof GrpcStatusError) {
    return error;
  }
  onFault(error);
  return new GrpcStatusError(grpcCode.internal, "grpc: the server failed to carry out the call");
}

/** The message is percent-encoded, as the protocol wants it. */
function trailersOf({ code, message }: GrpcStatusError): string[] {
  const encoded = message.replace(/[^\x20-\x24\x26-\x7e]/gu, (text) => encodeURIComponent(text));
  return ["grpc-status", String(code), "grpc-message", encoded];
}
