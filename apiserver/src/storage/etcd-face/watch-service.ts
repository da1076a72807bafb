import { type GrpcRoute, type StreamCall, streamRoute } from "@gatehouse/component-base/grpc-server";
import type { WatchCreateRequest, WatchRequest, WatchResponse, WatchService } from "../etcd/api/index.js";
import type { Keyspace } from "../keyspace.js";
import { encodeWatchResponse } from "./encode-answers.js";
import { orStatus } from "./etcd-errors.js";
import { EtcdWatch, type WatchOutput, watchedKey } from "./etcd-watch.js";
import { headerOf, type Identity } from "./headers.js";
import { isOpenEnd } from "./key-bounds.js";
import type { WatchHub } from "./watch-hub.js";

/** The changes behind the service, and the identity of the store. */
export interface WatchServiceParts {
  readonly keyspace: Keyspace;
  readonly hub: WatchHub;
  readonly identity: Identity;
  /** Interval in milliseconds at which watches that ask for it hear how far they have come. */
  readonly progressIntervalMs: number;
}

/** Watches that one stream may have. */
const maxWatchesPerStream = 10_000;

/** Bytes that may wait for the caller before its watches read the log instead of getting changes from memory. */
const maxPendingBytes = 4 * 2 ** 20;

/** The watch identifier of answers that are about no single watch. */
const noWatch = -1;

/** Makes the route of etcd's Watch service. */
export function watchRoutes(api: WatchService, parts: WatchServiceParts): GrpcRoute[] {
  return [
    streamRoute({ ...api.Watch, responseSerialize: encodeWatchResponse }, (call) => {
      const stream = new WatchStream(call, parts);
      return {
        onMessage: (request) => stream.receive(request),
        onEnd: () => call.end(),
        onOver: () => stream.close(),
      };
    }),
  ];
}

/** A stream of a client with its watches. */
class WatchStream {
  readonly #call: StreamCall<WatchResponse>;
  readonly #parts: WatchServiceParts;
  readonly #watches = new Map<number, EtcdWatch>();
  readonly #output: WatchOutput;
  readonly #progress: NodeJS.Timeout;
  #nextId = 0;
  /** True if the client has asked how far all its watches have come, and some are not live yet. */
  #owesProgress = false;

  constructor(call: StreamCall<WatchResponse>, parts: WatchServiceParts) {
    const { keyspace, hub, identity, progressIntervalMs } = parts;
    this.#call = call;
    this.#parts = parts;
    this.#output = {
      keyspace,
      hub,
      header: (revision) => headerOf(identity, revision),
      send: (response) => call.send(response),
      get isBehind() {
        return call.pendingBytes > maxPendingBytes;
      },
      drained: () => call.drained(),
      onLive: () => this.#answerProgress(),
      onEnded: (watchId) => this.#watches.delete(watchId),
    };
    this.#progress = setInterval(() => this.#notifyProgress(), progressIntervalMs).unref();
  }

  async receive({ createRequest, cancelRequest, progressRequest }: WatchRequest): Promise<void> {
    await this.#call.drained(); // a caller who does not read the answers is read no further
    if (createRequest !== null) {
      await this.#create(createRequest);
    } else if (cancelRequest !== null) {
      await this.#cancel(cancelRequest.watchId);
    } else if (progressRequest !== null) {
      this.#owesProgress = true;
      this.#answerProgress();
    }
  }

  close(): void {
    clearInterval(this.#progress);
    for (const watch of this.#watches.values()) {
      watch.cancel();
    }
    this.#watches.clear();
  }

  async #create(request: WatchCreateRequest): Promise<void> {
    const revision = await orStatus(this.#parts.keyspace.currentRevision());
    const header = this.#output.header(revision);
    const refusal = this.#refusalOf(request);
    if (refusal !== undefined) {
      this.#call.send({ header, watchId: noWatch, created: true, canceled: true, cancelReason: refusal });
      return;
    }
    const { startRevision } = request;
    const watchId = request.watchId === 0 ? this.#freeId() : request.watchId;
    const after = startRevision > 0 ? startRevision - 1 : revision;
    const watch = new EtcdWatch(watchId, request, after, this.#output);
    this.#watches.set(watchId, watch);
    this.#call.send({ header, watchId, created: true });
    void watch.run();
  }

  #refusalOf(request: WatchCreateRequest): string | undefined {
    const { rangeEnd, watchId } = request;
    if (rangeEnd.length > 0 && !isOpenEnd(rangeEnd) && Buffer.compare(watchedKey(request), rangeEnd) >= 0) {
      return "mvcc: watcher range is empty";
    }
    if (watchId !== 0 && this.#watches.has(watchId)) {
      return "mvcc: duplicate watch ID provided on the WatchStream";
    }
    return this.#watches.size >= maxWatchesPerStream
      ? `gatehouse: a stream may have at most ${maxWatchesPerStream} watches`
      : undefined;
  }

  #freeId(): number {
    while (this.#watches.has(this.#nextId)) {
      this.#nextId++;
    }
    return this.#nextId++;
  }

  async #cancel(watchId: number): Promise<void> {
    const watch = this.#watches.get(watchId);
    if (watch !== undefined) {
      watch.cancel();
      this.#watches.delete(watchId);
      const revision = await orStatus(this.#parts.keyspace.currentRevision());
      this.#call.send({ header: this.#output.header(revision), watchId, canceled: true });
      this.#answerProgress();
    }
  }

  #answerProgress(): void {
    if (this.#owesProgress && [...this.#watches.values()].every(({ isLive }) => isLive)) {
      this.#owesProgress = false;
      this.#call.send({ header: this.#output.header(this.#parts.hub.revision), watchId: noWatch });
    }
  }

  #notifyProgress(): void {
    for (const [watchId, watch] of this.#watches) {
      if (watch.notifiesProgress && watch.isLive && !watch.hasSent) {
        this.#call.send({ header: this.#output.header(this.#parts.hub.revision), watchId });
      }
      watch.hasSent = false;
    }
  }
}
