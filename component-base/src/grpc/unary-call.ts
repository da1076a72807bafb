import type { Http2Stream, StreamReceiver } from "../http2/index.js";
import { type CallDeadlines, TimedCall } from "./call-deadlines.js";
import { GrpcCallError } from "./call-error.js";
import { type CallCarrier, type CallReceiver, ClientCall } from "./client-call.js";
import { grpcCode } from "./grpc-status.js";

/** The end of a call with one answer. */
export interface UnaryOutcome<Response> {
  resolve(response: Response): void;
  reject(reason: unknown): void;
}

/** A call with one request and one answer. */
export class UnaryCall<Response> extends TimedCall implements CallReceiver {
  readonly endsAtMs: number;
  readonly #call: ClientCall;
  readonly #decode: (bytes: Buffer) => Response;
  readonly #outcome: UnaryOutcome<Response>;
  readonly #deadlines: CallDeadlines;
  #onOver: (() => void) | undefined;
  #response: { readonly message: Response } | undefined;

  constructor(
    carrier: CallCarrier,
    parts: {
      readonly endsAtMs: number;
      readonly deadlines: CallDeadlines;
      readonly decode: (bytes: Buffer) => Response;
      readonly outcome: UnaryOutcome<Response>;
    },
  ) {
    super();
    this.endsAtMs = parts.endsAtMs;
    this.#decode = parts.decode;
    this.#outcome = parts.outcome;
    this.#call = new ClientCall(carrier, this);
    this.#deadlines = parts.deadlines;
  }

  /** The receiver of the call's stream. */
  get receiver(): StreamReceiver {
    return this.#call;
  }

  /** Takes the stream of the call. */
  begin(stream: Http2Stream): void {
    this.#call.begin(stream);
    this.#deadlines.add(this);
  }

  /** Sets what is called when the call is over, whatever its outcome. */
  whenOver(listener: () => void): void {
    this.#onOver = listener;
  }

  onMessage(message: Buffer): void {
    if (this.#response !== undefined) {
      throw new GrpcCallError(grpcCode.internal, "Too many responses received");
    }
    this.#response = { message: this.#decode(message) };
  }

  onStatus(error: GrpcCallError | undefined): void {
    this.#deadlines.delete(this);
    this.#onOver?.();
    if (error !== undefined) {
      this.#outcome.reject(error);
    } else if (this.#response === undefined) {
      this.#outcome.reject(new GrpcCallError(grpcCode.internal, "No message received"));
    } else {
      this.#outcome.resolve(this.#response.message);
    }
  }

  expire(): void {
    this.abort(new GrpcCallError(grpcCode.deadlineExceeded, "Deadline exceeded"));
  }

  /** Gives the call up with a reason of the caller. */
  abort(reason: unknown): void {
    this.#deadlines.delete(this);
    this.#onOver?.();
    this.#call.cancel();
    this.#outcome.reject(reason);
  }
}
