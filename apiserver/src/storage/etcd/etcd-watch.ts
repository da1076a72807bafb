import { GrpcCallError, grpcCode, type StreamCall } from "@gatehouse/component-base/grpc";
import { pause } from "@gatehouse/component-base/time";
import { RevisionCompactedError, StoreUnavailableError } from "../../errors/errors.js";
import type { WatchBatch, WatchOptions } from "../store.js";
import type { WatchRequest, WatchResponse } from "./api/watch.js";
import type { Endpoint } from "./endpoint.js";
import type { EtcdClient } from "./etcd-client.js";
import { isMemberFailure, storeErrorOf } from "./etcd-errors.js";
import { allKeys, rangeOfPrefix } from "./key-values.js";
import { bytesOf, WatchBatches } from "./watch-batches.js";

type Stream = StreamCall<WatchRequest, WatchResponse>;

/** Answers that are kept for a reader who is not asking. */
const maxWaitingBatches = 4;
/** Bytes of values, about, that a batch has at most, unless the reader wants fewer. */
const defaultBatchBytes = 4 * 1024 * 1024;
/** Time in milliseconds after which the question how far the watch has come is put again. */
const progressIntervalMs = 100;
/** Time in milliseconds without any answer, while one is due, after which another server is tried. */
const stallMs = 2000;
/** Failures in a row after which the watch ends; the pause before a new try doubles with each. */
const maxFailures = 7;
const firstPauseMs = 25;

/** The end of a watch, and the receiver of its events' keys. */
export interface EtcdWatchParts {
  readonly stop: AbortSignal;
  readonly onEvent: ((key: string) => void) | undefined;
}

/**
 * A watch on etcd. While its reader is not asking, a few batches are kept; then the watch is given up, and taken up again
 * at the same revision when the reader comes back. It moves to another server when its own fails.
 */
export class EtcdWatch {
  readonly #client: EtcdClient;
  readonly #options: WatchOptions;
  readonly #stop: AbortSignal;
  readonly #onEvent: ((key: string) => void) | undefined;
  readonly #batches: WatchBatches;
  readonly #waiting: WatchBatch[] = [];
  #endpoint: Endpoint | undefined;
  #stream: Stream | undefined;
  #asksForProgress = false;
  #isOpening = false;
  #failure: { readonly error: unknown } | undefined;
  #failures = 0;
  #wake: (() => void) | undefined;
  /** The revision that somebody waits for. */
  #wanted = 0;
  #heardAtMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: EtcdClient, options: WatchOptions, parts: EtcdWatchParts) {
    this.#client = client;
    this.#options = options;
    this.#stop = parts.stop;
    this.#onEvent = parts.onEvent;
    const { prefix, afterRevision, maxBatchBytes = defaultBatchBytes } = options;
    this.#batches = new WatchBatches({ prefix, afterRevision, maxBatchBytes });
  }

  /** Delivers the changes until the signal aborts. */
  async *read(): AsyncGenerator<WatchBatch> {
    const onAbort = (): void => this.#wake?.();
    this.#stop.addEventListener("abort", onAbort);
    try {
      while (!this.#stop.aborted) {
        const batch = this.#waiting.shift();
        if (batch !== undefined) {
          yield batch;
        } else if (this.#failure !== undefined) {
          throw this.#failure.error;
        } else {
          await this.#nextAnswer();
        }
      }
    } finally {
      this.#stop.removeEventListener("abort", onAbort);
      this.#closeStream();
    }
  }

  /** Makes the watch find out at once that it has come as far as `revision`, which somebody waits for. */
  reach(revision: number): void {
    const wasDue = this.#isDue();
    this.#want(revision);
    if (this.#stream !== undefined && !wasDue && this.#isDue()) {
      this.#askForProgress(this.#stream);
    }
  }

  /** Makes the watch find out soon that it has come as far as `revision`, unless the changes show it before. */
  follow(revision: number): void {
    this.#want(revision);
    if (this.#stream !== undefined && this.#isDue()) {
      this.#timer ??= this.#later(this.#stream);
    }
  }

  #want(revision: number): void {
    if (!this.#isDue()) {
      this.#heardAtMs = performance.now();
    }
    this.#wanted = Math.max(this.#wanted, revision);
  }

  async #nextAnswer(): Promise<void> {
    if (this.#stream === undefined) {
      await this.#openStream();
    }
    this.#stream?.resume();
    const isOpen = this.#stream !== undefined && this.#failure === undefined;
    if (isOpen && this.#waiting.length === 0 && !this.#stop.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  async #openStream(): Promise<void> {
    if (this.#failures > 0) {
      await pause(firstPauseMs * 2 ** this.#failures, this.#stop);
    }
    const endpoint = await this.#client.endpoint();
    this.#asksForProgress = await endpoint.answersProgressRequests();
    if (this.#stop.aborted) {
      return;
    }
    let stream: Stream;
    try {
      stream = endpoint.openStream(this.#client.api.watch.Watch, {
        onMessage: (response) => this.#take(stream, response),
        onEnd: (error) => this.#streamFailed(stream, error ?? failure("etcd ended the watch")),
      });
    } catch (error) {
      this.#giveUpStream(error); // the connection was lost a moment ago
      return;
    }
    this.#endpoint = endpoint;
    this.#stream = stream;
    // Where progress cannot be asked for, the changes of all keys show it.
    const range = this.#asksForProgress ? rangeOfPrefix(this.#options.prefix) : allKeys;
    const createRequest = {
      ...range,
      startRevision: Math.max(1, this.#batches.revision),
      prevKv: true,
      fragment: true,
      progressNotify: true,
    };
    stream.write({ createRequest });
    this.#heardAtMs = performance.now();
    this.#isOpening = true;
    this.#timer = this.#later(stream);
  }

  #take(stream: Stream, response: WatchResponse): void {
    if (stream !== this.#stream) {
      return;
    }
    this.#heardAtMs = performance.now();
    if (response.canceled) {
      this.#cancelled(response);
      return;
    }
    if (response.created) {
      this.#failures = 0;
      this.#isOpening = false;
      this.#want(response.header?.revision ?? 0);
      if (this.#isDue()) {
        this.#askForProgress(stream);
      }
      return;
    }
    try {
      this.#deliver(this.#batches.take(response));
    } catch (error) {
      this.#fail(error);
    }
    if (this.#waiting.length > maxWaitingBatches) {
      this.#holdBack(stream);
    }
  }

  #deliver(batches: readonly WatchBatch[]): void {
    for (const batch of batches) {
      const { onCommitted } = this.#options;
      for (const { key } of this.#onEvent === undefined ? [] : batch.events) {
        this.#onEvent?.(key);
      }
      if (onCommitted !== undefined && this.#wake !== undefined && this.#waiting.length === 0) {
        onCommitted(batch);
        if (this.#stop.aborted) {
          return;
        }
      } else {
        this.#waiting.push(batch);
      }
    }
    if (this.#waiting.length > 0) {
      this.#wake?.();
    }
  }

  /** Spares a slow reader: a large answer is left on the wire, small ones are asked for again later. */
  #holdBack(stream: Stream): void {
    if (this.#waiting.reduce((sum, batch) => sum + bytesOf(batch), 0) >= defaultBatchBytes / 4) {
      stream.pause();
      return;
    }
    this.#closeStream();
    this.#waiting.length = maxWaitingBatches;
    this.#batches.rewindTo(this.#waiting.at(-1)?.revision ?? this.#batches.revision);
  }

  #cancelled({ compactRevision, cancelReason }: WatchResponse): void {
    if (compactRevision > 0) {
      this.#fail(new RevisionCompactedError(compactRevision));
    } else {
      this.#fail(new StoreUnavailableError(`etcd cancelled the watch: ${cancelReason}`));
    }
  }

  #streamFailed(stream: Stream, error: Error): void {
    if (stream !== this.#stream) {
      return;
    }
    this.#endpoint?.suspect();
    this.#giveUpStream(error);
  }

  /** Goes on at another server, if there is one; ends the watch when that did not help several times. */
  #giveUpStream(error: unknown): void {
    this.#failures++;
    if (isMemberFailure(error) && this.#failures < maxFailures) {
      this.#closeStream();
      this.#wake?.();
    } else {
      this.#fail(storeErrorOf(error));
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#closeStream();
    this.#wake?.();
  }

  /** Reports whether etcd owes an answer: that the watch is open, or how far it has come. */
  #isDue(): boolean {
    return this.#isOpening || this.#batches.revision < this.#wanted;
  }

  #askForProgress(stream: Stream): void {
    if (this.#asksForProgress && !this.#isOpening) {
      stream.write({ progressRequest: {} });
    }
    this.#timer ??= this.#later(stream);
  }

  /** Looks again after a while: etcd does not answer while the watch has changes to catch up with. */
  #later(stream: Stream): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timer = undefined;
      if (stream !== this.#stream || stream.isPaused || !this.#isDue()) {
        return;
      }
      if (performance.now() - this.#heardAtMs > stallMs) {
        this.#streamFailed(stream, failure("etcd does not answer on the watch"));
      } else {
        this.#askForProgress(stream);
      }
    }, progressIntervalMs);
    return timer.unref();
  }

  #closeStream(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isOpening = false;
    const stream = this.#stream;
    this.#stream = undefined;
    this.#batches.rewindTo(this.#batches.revision);
    stream?.cancel();
  }
}

/** Makes the error of a member that fails, as a call makes it. */
function failure(details: string): Error {
  return new GrpcCallError(grpcCode.unavailable, details);
}
