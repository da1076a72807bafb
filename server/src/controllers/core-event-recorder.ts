import { isLostRace, isNamespaceGone, isNotFound, type ObjectClient } from "@gatehouse/apiserver/client";
import { metaOf, timestamp } from "@gatehouse/apiserver/objects";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { KeyedBuckets } from "@gatehouse/policies/rate-limit";
import { events } from "./core-resources.js";
import { EventNames } from "./event-names.js";
import { RecentEntries } from "./recent-entries.js";

/** A report of a controller about an object. */
export interface CoreReport {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** The options of a recorder of events of the core API. */
export interface CoreEventRecorderOptions {
  readonly client: Pick<ObjectClient, "create" | "update">;
  /** The component that events name as their source. */
  readonly component: string;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Messages of one object and reason within ten minutes, the last of which and all after it become one event. */
const maxMessages = 10;
const similarMs = 600_000;
/** Events about one object at once, and after them one every five minutes. */
const burst = 25;
const perSecond = 1 / 300;
/** Entries of each memory; those used longest ago are forgotten first. */
const maxRemembered = 4096;
/** Reports that wait to be written; further ones are dropped. */
const maxWaiting = 1000;

/** The event that was written about something that may happen again. */
interface Observed {
  readonly name: string;
  readonly firstTimestamp: string;
  count: number;
}

interface Similar {
  readonly messages: Set<string>;
  lastAt: number;
}

/** An event, and the key by which its repetitions are counted. */
interface Occurrence {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly at: string;
  readonly event: JsonObject;
}

/**
 * Writes reports of a controller as events of the core API, in their order. Repetitions are counted in the event that is
 * there, many similar messages become one event, and too many about one object are dropped, as clients of v1.29 do. It
 * never throws.
 */
export class CoreEventRecorder {
  readonly #options: CoreEventRecorderOptions;
  readonly #names = new EventNames();
  readonly #observed = new RecentEntries<Observed>(maxRemembered);
  readonly #similar = new RecentEntries<Similar>(maxRemembered);
  readonly #budgets = new KeyedBuckets({ perSecond, burst, maxKeys: maxRemembered });
  #writing: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(options: CoreEventRecorderOptions) {
    this.#options = options;
  }

  /** Reports about an object; `kind` and `apiVersion` are its own. The event is written later. */
  report(object: JsonObject, type: { readonly kind: string; readonly apiVersion: string }, report: CoreReport): void {
    if (this.#waiting >= maxWaiting) {
      return;
    }
    this.#waiting++;
    const occurrence = this.#occurrence(object, type, report);
    this.#writing = this.#writing.then(() => this.#write(occurrence));
  }

  /** Resolves when what has been reported is written. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  #occurrence(
    object: JsonObject,
    { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
    { type, reason, message }: CoreReport,
  ): Occurrence {
    const { component, now } = this.#options;
    const { name = "", uid = "", resourceVersion = "" } = metaOf(object);
    const ownNamespace = textAt(object, "metadata", "namespace");
    const about = [kind, ownNamespace, name, uid, apiVersion];
    const nowMs = now();
    const similarKey = JSON.stringify([...about, type, reason]);
    const isOneOfMany = this.#isOneOfMany(similarKey, message, nowMs);
    const at = timestamp(nowMs);
    return {
      key: isOneOfMany ? similarKey : JSON.stringify([...about, type, reason, message]),
      namespace: ownNamespace || "default",
      name: this.#names.next(name, nowMs),
      at,
      event: {
        kind: "Event",
        apiVersion: "v1",
        involvedObject: {
          kind,
          ...(ownNamespace === "" ? {} : { namespace: ownNamespace }),
          name,
          uid,
          apiVersion,
          resourceVersion,
        },
        reason,
        message: isOneOfMany ? `(combined from similar events): ${message}` : message,
        source: { component },
        lastTimestamp: at,
        type,
        reportingComponent: component,
        reportingInstance: "",
      },
    };
  }

  #isOneOfMany(key: string, message: string, nowMs: number): boolean {
    const known = this.#similar.get(key);
    const similar =
      known === undefined || nowMs - known.lastAt > similarMs ? { messages: new Set<string>(), lastAt: nowMs } : known;
    similar.lastAt = nowMs;
    this.#similar.set(key, similar);
    if (similar.messages.size === maxMessages - 1 && !similar.messages.has(message)) {
      return true;
    }
    similar.messages.add(message);
    return false;
  }

  async #write(occurrence: Occurrence): Promise<void> {
    try {
      const { key, namespace, event } = occurrence;
      const known = this.#observed.get(key);
      const observed = known ?? { name: occurrence.name, firstTimestamp: occurrence.at, count: 0 };
      observed.count++;
      this.#observed.set(key, observed);
      const { kind, name, uid } = event["involvedObject"] as JsonObject;
      if (this.#budgets.tryTake(JSON.stringify([kind, namespace, name, uid]), this.#options.now())) {
        await this.#store(occurrence, observed, known !== undefined);
      }
    } catch (error) {
      if (!isNamespaceGone(error) && !isLostRace(error)) {
        this.#options.onError(error);
      }
    } finally {
      this.#waiting--;
    }
  }

  async #store({ namespace, event, at }: Occurrence, observed: Observed, isKnown: boolean): Promise<void> {
    const { client } = this.#options;
    const { name, firstTimestamp, count } = observed;
    if (isKnown) {
      try {
        await client.update(events, { namespace, name }, (current) => {
          return { ...current, count, lastTimestamp: at, message: event["message"] ?? "" };
        });
        return;
      } catch (error) {
        if (!isNotFound(error)) {
          throw error;
        }
      }
    }
    await client.create(events, { ...event, metadata: { namespace, name }, firstTimestamp, count });
  }
}
