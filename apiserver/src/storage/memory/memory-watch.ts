import type { StoreEvent, WatchBatch, WatchOptions } from "../store.js";
import type { MemoryData } from "./memory-data.js";

const maxBatchEvents = 256;
const defaultBatchBytes = 1024 * 1024;

/** Delivers changes as the contract's `watch` says, until `stop` aborts. */
export async function* watchMemory(
  data: MemoryData,
  { prefix, afterRevision, maxBatchBytes = defaultBatchBytes, onCommitted }: WatchOptions,
  stop: AbortSignal,
): AsyncGenerator<WatchBatch> {
  let position = afterRevision;
  let wake: (() => void) | undefined;
  let failure: { readonly error: unknown } | undefined;
  const follow = (event: StoreEvent | undefined): void => {
    if (wake === undefined) {
      return;
    }
    if (event === undefined || onCommitted === undefined || event.revision !== position + 1 || failure !== undefined) {
      wake();
      return;
    }
    try {
      onCommitted({ events: event.key.startsWith(prefix) ? [event] : [], revision: event.revision });
      position = event.revision;
    } catch (error) {
      // A fault of the reader is no fault of the writer: the watch ends with it.
      failure = { error };
      wake();
    }
  };
  data.followers.add(follow);
  const onAbort = (): void => wake?.();
  stop.addEventListener("abort", onAbort);
  try {
    while (!stop.aborted) {
      const batch = nextBatch(data, position, { prefix, maxBatchBytes });
      if (batch.revision > position) {
        position = batch.revision;
        yield batch;
        continue;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = undefined;
      if (failure !== undefined) {
        throw failure.error;
      }
    }
  } finally {
    data.followers.delete(follow);
    stop.removeEventListener("abort", onAbort);
  }
}

function nextBatch(
  data: MemoryData,
  afterRevision: number,
  { prefix, maxBatchBytes }: { readonly prefix: string; readonly maxBatchBytes: number },
): WatchBatch {
  const events: StoreEvent[] = [];
  let revision = afterRevision;
  let bytes = 0;
  for (const event of data.changesAfter(afterRevision, maxBatchEvents)) {
    revision = event.revision;
    if (event.key.startsWith(prefix)) {
      events.push(event);
      bytes += event.type === "put" ? event.value.length : 0;
    }
    if (bytes >= maxBatchBytes) {
      break;
    }
  }
  return { events, revision };
}
