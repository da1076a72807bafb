import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../spec/support/api-client.js";
import { versionOf } from "../spec/support/fixtures.js";
import { isWhole } from "./recorded-write.js";

export interface RecordedEvent {
  readonly type: string;
  readonly name: string;
  readonly revision: number;
  readonly sum: string | undefined;
}

export interface RecordingWatcher {
  readonly events: readonly RecordedEvent[];
  /** Newest revision that it has heard of. */
  readonly revision: number;
  readonly done: Promise<void>;
}

const pauseBeforeResumeMs = 30;

/** Follows a collection from a version on, resuming where it was whenever the connection breaks, until `signal` aborts. */
export function startWatcher(
  client: ApiClient,
  collection: string,
  fromVersion: string,
  signal: AbortSignal,
): RecordingWatcher {
  const events: RecordedEvent[] = [];
  let revision = Number(fromVersion);

  async function follow(): Promise<void> {
    using watch = await client.watch(`${collection}?watch=1&allowWatchBookmarks=true&resourceVersion=${revision}`);
    const stop = (): void => watch[Symbol.dispose]();
    signal.addEventListener("abort", stop, { once: true });
    try {
      for (;;) {
        const event = await watch.next();
        if (event.type === "ERROR") {
          throw new BrokenWatchError(`watch from ${revision}: ${JSON.stringify(event.object)}`);
        }
        revision = Number(versionOf(event.object));
        if (event.type === "BOOKMARK") {
          continue;
        }
        if (!isWhole(event.object.data)) {
          throw new BrokenWatchError(`a half-written object: ${JSON.stringify(event.object)}`);
        }
        const name = event.object.metadata.name ?? "";
        events.push({ type: event.type, name, revision, sum: event.object.data?.["sum"] });
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (error instanceof BrokenWatchError) {
          throw error;
        }
        // The server was killed; it will be back.
        await sleep(pauseBeforeResumeMs);
      }
    }
  }
  return {
    events,
    get revision() {
      return revision;
    },
    done: run(),
  };
}

/** Thrown for a fault of a watch that no crash excuses. */
class BrokenWatchError extends Error {
  override readonly name = "BrokenWatchError";
}
