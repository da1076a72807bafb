import { hostname } from "node:os";
import { isNamespaceGone, isNotFound, type ObjectClient } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { EventNames } from "./event-names.js";
import { RecentEntries } from "./recent-entries.js";

/** A report about an object. */
export interface Report {
  readonly reason: string;
  /** The work that the controller did or could not do. */
  readonly action: string;
  readonly note: string;
}

/** The options of an event recorder. */
export interface EventRecorderOptions {
  readonly client: ObjectClient;
  /** The name of the controller, by which its events are found. */
  readonly controller: string;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

const events = Object.freeze({ group: "events.k8s.io", version: "v1", resource: "events" });

/** Milliseconds for which a repeated report is counted in the event that it has already (as in v1.29). */
const seriesMs = 6 * 60_000;

/** Number of events that are remembered for their repetitions. */
const maxRemembered = 1000;

interface Recorded {
  readonly namespace: string;
  readonly name: string;
  count: number;
  lastAt: number;
}

/** Writes warnings of a controller as events of events.k8s.io. Repetitions of a report become a series. Never rejects. */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #names = new EventNames();
  /** The events by their object and reason. */
  readonly #recorded = new RecentEntries<Recorded>(maxRemembered);

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** Reports about an object; `kind` and `apiVersion` are its own. */
  async warn(
    object: JsonObject,
    type: { readonly kind: string; readonly apiVersion: string },
    report: Report,
  ): Promise<void> {
    const { uid = "", resourceVersion = "" } = metaOf(object);
    const key = JSON.stringify([type.kind, uid, resourceVersion, report.reason, report.action]);
    const now = this.#options.now();
    const known = this.#recorded.get(key);
    try {
      if (known !== undefined && now - known.lastAt < seriesMs && (await this.#repeat(known, now))) {
        this.#recorded.set(key, known);
        return;
      }
      this.#recorded.set(key, await this.#record(object, type, report, now));
    } catch (error) {
      if (!isNamespaceGone(error)) {
        this.#options.onError(error);
      }
    }
  }

  /** Counts a repetition in an event. Resolves to false if that is gone. */
  async #repeat(recorded: Recorded, now: number): Promise<boolean> {
    const { namespace, name } = recorded;
    recorded.count++;
    recorded.lastAt = now;
    try {
      await this.#options.client.update(events, { namespace, name }, (event) => {
        event["series"] = { count: recorded.count, lastObservedTime: microTime(now) };
        return event;
      });
      return true;
    } catch (error) {
      if (isNotFound(error)) {
        return false;
      }
      throw error;
    }
  }

  async #record(
    object: JsonObject,
    { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
    { reason, action, note }: Report,
    now: number,
  ): Promise<Recorded> {
    const { client, controller } = this.#options;
    const { name = "", uid = "", resourceVersion = "" } = metaOf(object);
    const ownNamespace = textAt(object, "metadata", "namespace");
    // Events about objects outside of namespaces are kept in this one.
    const namespace = ownNamespace || "default";
    const event = await client.create(events, {
      kind: "Event",
      apiVersion: "events.k8s.io/v1",
      metadata: { namespace, name: this.#names.next(name, now) },
      eventTime: microTime(now),
      reportingController: controller,
      reportingInstance: `${controller}-${hostname()}`,
      action,
      reason,
      regarding: {
        kind,
        apiVersion,
        name,
        ...(ownNamespace === "" ? {} : { namespace: ownNamespace }),
        uid,
        resourceVersion,
      },
      note,
      type: "Warning",
    });
    return { namespace, name: metaOf(event).name ?? "", count: 1, lastAt: now };
  }
}

function microTime(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, -1)}000Z`;
}
