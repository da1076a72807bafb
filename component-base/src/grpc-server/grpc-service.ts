import { GrpcStatusError, grpcCode } from "../grpc/grpc-status.js";
import type { MessageInput, Method } from "../grpc/index.js";

/** A function that answers one request. It throws GrpcStatusError for any status but OK. */
export type AnswerUnary<Request, Response> = (
  request: Request,
) => MessageInput<Response> | Promise<MessageInput<Response>>;

/** A call whose messages go both ways at any time, as its handler sees it. */
export interface StreamCall<Response> {
  /** Sends a message. */
  send(message: MessageInput<Response>): void;
  /** Sends a message that is encoded already. */
  sendEncoded(message: Buffer): void;
  /** Number of bytes that the connection has not taken yet. A handler that sends much looks at it before. */
  readonly pendingBytes: number;
  /** Resolves when the connection has taken everything, or the call is over. */
  drained(): Promise<void>;
  /** Ends the call with OK, or with the status of an error. */
  end(error?: unknown): void;
}

/** The receiver of the messages of a streaming call. */
export interface StreamReceiver<Request> {
  /** Called with each message in turn; the next one comes when the promise is fulfilled. What it throws ends the call. */
  onMessage(request: Request): void | Promise<void>;
  /** Called when the caller sends no more. */
  onEnd(): void;
  /** Called once when the call is over, for whatever reason. */
  onOver(): void;
}

/** A method and its handler. */
export interface GrpcRoute {
  readonly path: string;
  readonly isStream: boolean;
  /** Answers the encoded request of a unary call. */
  readonly answer?: (request: Buffer) => Buffer | Promise<Buffer>;
  /** Opens a streaming call. */
  readonly open?: (call: StreamCall<never>) => StreamReceiver<Buffer>;
}

/** Makes the route of a method with one request and one answer. */
export function unaryRoute<Request, Response>(
  method: Method<Request, Response>,
  answer: AnswerUnary<Request, Response>,
): GrpcRoute {
  const { requestDeserialize, responseSerialize } = method;
  return {
    path: method.path,
    isStream: false,
    answer(request) {
      const response = answer(decoded(requestDeserialize, request));
      return response instanceof Promise ? response.then(responseSerialize) : responseSerialize(response);
    },
  };
}

/** Makes the route of a method whose caller, server or both send any number of messages. */
export function streamRoute<Request, Response>(
  method: Method<Request, Response>,
  open: (call: StreamCall<Response>) => StreamReceiver<Request>,
): GrpcRoute {
  const { requestDeserialize, responseSerialize } = method;
  return {
    path: method.path,
    isStream: true,
    open(call) {
      const receiver = open({
        send: (message) => call.sendEncoded(responseSerialize(message)),
        sendEncoded: (message) => call.sendEncoded(message),
        get pendingBytes() {
          return call.pendingBytes;
        },
        drained: () => call.drained(),
        end: (error) => call.end(error),
      });
      return {
        onMessage: (request) => receiver.onMessage(decoded(requestDeserialize, request)),
        onEnd: () => receiver.onEnd(),
        onOver: () => receiver.onOver(),
      };
    },
  };
}

function decoded<Request>(decode: (bytes: Buffer) => Request, bytes: Buffer): Request {
  try {
    return decode(bytes);
  } catch (error) {
    throw new GrpcStatusError(
      grpcCode.internal,
      `grpc: failed to unmarshal the received message: ${(error as Error).message}`,
    );
  }
}
