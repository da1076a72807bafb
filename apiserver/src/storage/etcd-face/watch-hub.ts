import { pause } from "@gatehouse/component-base/time";
import type { ChangeBatch, KeyChange, KeyInterval, Keyspace } from "../keyspace.js";
import { isWithin } from "./key-bounds.js";

/** A watch that has come to the newest revision, as the hub sees it. */
export interface LiveWatch {
  readonly keys: KeyInterval;
  /** The only key of the interval as text, where there is only one. */
  readonly key: string | undefined;
  /** Takes the changes of its keys up to `revision`, which may have some that it has seen before. */
  onChanges(events: readonly KeyChange[], revision: number): void;
  /** Called when changes may be missed: the watch reads them from the log. It is no longer live. */
  onLost(): void;
}

/** The keyspace that a hub follows, and the receiver of its troubles. */
export interface WatchHubOptions {
  readonly keyspace: Keyspace;
  /** Called with the error when the changes could not be followed; it is tried again. */
  readonly onTrouble: (error: unknown) => void;
}

const retryMs = 200;

/** Follows the changes of a keyspace once, and hands them to all watches that have come to the newest revision. */
export class WatchHub implements AsyncDisposable {
  readonly #options: WatchHubOptions;
  readonly #stopping = new AbortController();
  readonly #byKey = new Map<string, Set<LiveWatch>>();
  readonly #byInterval = new Set<LiveWatch>();
  #revision: number;
  #running: Promise<void> = Promise.resolve();

  private constructor(options: WatchHubOptions, revision: number) {
    this.#options = options;
    this.#revision = revision;
  }

  /** Starts to follow the changes after the newest revision. */
  static async start(options: WatchHubOptions): Promise<WatchHub> {
    const hub = new WatchHub(options, await options.keyspace.currentRevision());
    hub.#running = hub.#run();
    return hub;
  }

  /** The revision up to which all changes have been handed out. */
  get revision(): number {
    return this.#revision;
  }

  /** Adds a watch that has seen everything up to this hub's revision. */
  add(watch: LiveWatch): void {
    const { key } = watch;
    if (key === undefined) {
      this.#byInterval.add(watch);
      return;
    }
    const others = this.#byKey.get(key);
    if (others === undefined) {
      this.#byKey.set(key, new Set([watch]));
    } else {
      others.add(watch);
    }
  }

  /** Removes a watch, if it is there. */
  remove(watch: LiveWatch): void {
    this.#byInterval.delete(watch);
    const others = this.#byKey.get(watch.key ?? "");
    if (others?.delete(watch) === true && others.size === 0) {
      this.#byKey.delete(watch.key ?? "");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { keyspace, onTrouble } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const onCommitted = (batch: ChangeBatch): void => this.#dispatch(batch);
        for await (const batch of keyspace.follow({ afterRevision: this.#revision, signal, onCommitted })) {
          this.#dispatch(batch);
        }
      } catch (error) {
        onTrouble(error);
        await pause(retryMs, signal);
        await this.#startOver();
      }
    }
  }

  /** Goes on from the newest revision; each watch finds out by itself what it has missed, or that it cannot. */
  async #startOver(): Promise<void> {
    try {
      this.#revision = await this.#options.keyspace.currentRevision();
    } catch {
      return; // the next round meets the error
    }
    const watches = [...this.#byInterval, ...[...this.#byKey.values()].flatMap((ofKey) => [...ofKey])];
    this.#byInterval.clear();
    this.#byKey.clear();
    for (const watch of watches) {
      watch.onLost();
    }
  }

  #dispatch({ events, revision }: ChangeBatch): void {
    this.#revision = revision;
    const wanted = new Map<LiveWatch, KeyChange[]>();
    for (const event of events) {
      for (const watch of this.#byKey.get(event.key) ?? []) {
        add(wanted, watch, event);
      }
      if (this.#byInterval.size > 0) {
        const key = Buffer.from(event.key);
        for (const watch of this.#byInterval) {
          if (isWithin(watch.keys, key)) {
            add(wanted, watch, event);
          }
        }
      }
    }
    for (const [watch, changes] of wanted) {
      watch.onChanges(changes, revision);
    }
  }
}

function add(wanted: Map<LiveWatch, KeyChange[]>, watch: LiveWatch, event: KeyChange): void {
  const changes = wanted.get(watch);
  if (changes === undefined) {
    wanted.set(watch, [event]);
  } else {
    changes.push(event);
  }
}
