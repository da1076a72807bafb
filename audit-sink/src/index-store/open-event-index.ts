import { Worker } from "node:worker_threads";
import { type Logger, silentLogger } from "@gatehouse/component-base/logs";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { IndexConfig } from "../config/audit-sink-config.js";
import type { ReadableLog } from "../log/log-reader.js";
import type { EventFilter } from "./event-filter.js";
import { type EventIndex, IndexBusyError, type IndexStatus, type TailNews } from "./event-index.js";
import type { EventPage, EventPlace, FoundEvent } from "./find-events.js";
import { logStateOf } from "./follow-log.js";
import type { IndexQuestion, IndexReply, IndexRequest, IndexThreadData, StoreStatus } from "./index-messages.js";
import type { EventSummary, SummaryOptions } from "./summarise-events.js";

/** Source, folder and limits of an index. */
export interface EventIndexOptions {
  readonly config: IndexConfig;
  readonly log: ReadableLog;
  /** Registry for the metrics of the index: its size and its progress. Default: none. */
  readonly registry?: MetricsRegistry;
  /** Logger of the index. Default: nothing is logged. */
  readonly logger?: Logger;
}

/** Questions that may wait for an answer. */
const maxQuestions = 64;
/** The thread is told of what is new in the log no more often than this. */
const tellMs = 50;

/** Opens the index, in a thread of its own, which follows the log from where it was. Rejects when it cannot be opened. */
export async function openEventIndex(options: EventIndexOptions): Promise<EventIndex> {
  const index = new ThreadedIndex(options);
  await index.opened;
  if (options.registry !== undefined) {
    registerMetrics(options.registry, index);
  }
  return index;
}

function registerMetrics(registry: MetricsRegistry, index: EventIndex): void {
  const gauges = {
    events: registry.gauge({ name: "gatehouse_audit_sink_index_events", help: "Events that the index keeps." }),
    bytes: registry.gauge({ name: "gatehouse_audit_sink_index_bytes", help: "Bytes of the index on disk." }),
    position: registry.gauge({
      name: "gatehouse_audit_sink_index_position",
      help: "Position of the log up to which events are indexed.",
    }),
    unreadable: registry.gauge({
      name: "gatehouse_audit_sink_index_unreadable_events",
      help: "Events since the start that the index has left out because they cannot be read.",
    }),
  };
  registry.beforeScrape(() => {
    const { events, bytes, position, unreadable } = index.status;
    gauges.events.labels({}).set(events);
    gauges.bytes.labels({}).set(bytes);
    gauges.position.labels({}).set(position);
    gauges.unreadable.labels({}).set(unreadable);
  });
}

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

class ThreadedIndex implements EventIndex {
  readonly opened: Promise<void>;
  readonly #worker: Worker;
  readonly #log: ReadableLog;
  readonly #logger: Logger;
  readonly #waiting = new Map<number, Waiting>();
  readonly #tails = new Map<number, (news: TailNews) => void>();
  readonly #forgetLog: () => void;
  readonly #ended: Promise<void>;
  #status: StoreStatus = { events: 0, bytes: 0, oldestUs: undefined, position: 0, durablePosition: 0, unreadable: 0 };
  #nextId = 0;
  #tellTimer: NodeJS.Timeout | undefined;
  #failure: Error | undefined;

  constructor({ config, log, logger = silentLogger }: EventIndexOptions) {
    this.#log = log;
    this.#logger = logger;
    const { directory, retention } = config;
    const workerData: IndexThreadData = { directory, retention, log: logStateOf(log) };
    this.#worker = new Worker(new URL("./index-thread.js", import.meta.url), { workerData });
    this.#forgetLog = log.onChange(() => this.#tellLater());
    this.opened = new Promise((resolve, reject) => {
      this.#worker.once("message", () => resolve());
      this.#worker.once("error", reject);
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        this.#fail(new Error("the index has stopped"));
        resolve();
      });
    });
    this.#worker.on("error", (error) => {
      this.#fail(error);
      logger.error("the index has failed; events are kept and delivered without it", { error });
    });
    this.#worker.on("message", (reply: IndexReply) => this.#take(reply));
  }

  get status(): IndexStatus {
    return { ...this.#status, behind: Math.max(0, this.#log.endPosition - this.#status.position) };
  }

  get savedPosition(): number | undefined {
    return this.#failure === undefined ? this.#status.durablePosition : undefined;
  }

  find(filter: EventFilter, options: { readonly limit: number; readonly after?: EventPlace }): Promise<EventPage> {
    return this.#ask({ about: "find", filter, options });
  }

  event(position: number): Promise<FoundEvent | undefined> {
    return this.#ask({ about: "event", position });
  }

  summarise(filter: EventFilter, options: SummaryOptions): Promise<EventSummary> {
    return this.#ask({ about: "summarise", filter, options });
  }

  tail(filter: EventFilter, listener: (news: TailNews) => void): () => void {
    const id = this.#nextId++;
    this.#tails.set(id, listener);
    this.#send({ type: "tail", id, filter });
    return () => {
      this.#tails.delete(id);
      this.#send({ type: "untail", id });
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#forgetLog();
    clearTimeout(this.#tellTimer);
    this.#send({ type: "stop" });
    await this.#ended;
  }

  #ask<T>(question: IndexQuestion): Promise<T> {
    if (this.#failure !== undefined) {
      return Promise.reject(this.#failure);
    }
    if (this.#waiting.size >= maxQuestions) {
      return Promise.reject(new IndexBusyError());
    }
    const id = this.#nextId++;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ type: "ask", id, question });
    });
  }

  #take(reply: IndexReply): void {
    switch (reply.type) {
      case "status":
        this.#status = reply.status;
        break;
      case "answer":
        this.#waiting.get(reply.id)?.resolve(reply.answer as never);
        this.#waiting.delete(reply.id);
        break;
      case "failure":
        this.#waiting.get(reply.id)?.reject(new Error(reply.message));
        this.#waiting.delete(reply.id);
        break;
      case "news": {
        const events = reply.events.map((event) => ({ ...event, json: asBuffer(event.json) }));
        this.#tails.get(reply.id)?.({ events, skipped: reply.skipped });
        break;
      }
      case "problem":
        this.#logger.error(reply.message, { detail: reply.detail });
        break;
      case "recovered":
        this.#logger.info("the index goes on");
        break;
    }
  }

  #send(request: IndexRequest): void {
    this.#worker.postMessage(request);
  }

  /** Changes of the log come with every flush: they are told together. */
  #tellLater(): void {
    this.#tellTimer ??= setTimeout(() => {
      this.#tellTimer = undefined;
      this.#send({ type: "log", log: logStateOf(this.#log) });
    }, tellMs);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) {
      reject(this.#failure);
    }
    this.#waiting.clear();
  }
}

/** Returns bytes from another thread as a Buffer, a class which they lose on the way. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
