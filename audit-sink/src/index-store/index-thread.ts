import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { runSteps, type Steps, TimeSlice } from "@gatehouse/envelopes/scheduling";
import { LogDamagedError } from "../log/log-batch.js";
import { readLog } from "../log/log-reader.js";
import { compileFilter } from "./event-filter.js";
import { eventAtPosition, findEvents } from "./find-events.js";
import { FollowedLog } from "./follow-log.js";
import type { IndexAnswer, IndexQuestion, IndexReply, IndexRequest, IndexThreadData } from "./index-messages.js";
import { IndexStore } from "./index-store.js";
import { summariseEvents } from "./summarise-events.js";
import { Tails } from "./tails.js";

// The thread of the index: reads the log, keeps the store, and answers. Work is done in time slices, so that neither a long
// question holds up the reading, nor the reading a question.

const checkpointMs = 30_000;
const retainMs = 60_000;
const statusMs = 500;
/** Interval in milliseconds between the portions sent to those who follow. */
const tellMs = 200;
/** First time in milliseconds to wait after a failure before the next try; `maxRetryMs` is the longest. */
const minRetryMs = 1000;
const maxRetryMs = 5000;

/** Behind those who take events in and deliver them: an index that lags is no harm. */
const niceness = 5;
if (process.platform === "linux") {
  // Here this is about the thread, elsewhere it would be about the whole process.
  setPriority(0, niceness);
}

const port = parentPort;
if (port === null) {
  throw new Error("index-thread.js runs in a worker thread only");
}
const reply = (message: IndexReply): void => port.postMessage(message);
const problem = (message: string, error: unknown): void => {
  reply({ type: "problem", message, detail: error instanceof Error ? error.message : String(error) });
};

const { directory, retention, log: state } = workerData as IndexThreadData;
const log = new FollowedLog(state);
const tails = new Tails();
const store = new IndexStore({
  directory,
  retention,
  onIndexed: (event) => tails.note(event),
  onDamage: (path, error) => problem(`a file of the index is damaged: ${path}`, error),
});
if (store.position > log.endPosition) {
  throw new Error(
    `the index in ${directory} has read up to position ${store.position}, but the log ends at ${log.endPosition}: they do not belong together; delete the index, and it is made anew`,
  );
}
const stopping = new AbortController();
let unreadable = 0;
/** Position behind the last damaged part of the log. */
let resumeAt = 0;
/** Time to wait after the failure that stopped the feeding; undefined while there is none. */
let retryMs: number | undefined;

function tellStatus(): void {
  const { chunks, bytes, position, durablePosition } = store;
  const events = chunks.reduce((sum, { count }) => sum + count, 0);
  const oldest = chunks.reduce((least, { minTimeUs }) => Math.min(least, minTimeUs), Number.POSITIVE_INFINITY);
  const oldestUs = Number.isFinite(oldest) ? oldest : undefined;
  reply({ type: "status", status: { events, bytes, oldestUs, position, durablePosition, unreadable } });
}

/** Runs `work` and reports an error of it, such as a write to a full disk; the work is tried again the next time. */
function attempt(what: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    problem(what, error);
  }
}

async function feed(): Promise<void> {
  const slice = new TimeSlice();
  let chunks = store.chunks.length;
  for await (const batch of readLog(log, Math.max(store.position, resumeAt), stopping.signal)) {
    unreadable += store.add(batch);
    if (retryMs !== undefined) {
      retryMs = undefined;
      reply({ type: "recovered" });
    }
    if (store.chunks.length !== chunks) {
      attempt("what is too old cannot be deleted", () => store.retain());
      chunks = store.chunks.length;
    }
    await slice.yield();
  }
}

/** Feeds the store until the thread stops: after a failure it goes on where it was, or behind what is damaged. */
async function feedAlways(): Promise<void> {
  while (!stopping.signal.aborted && log.isOpen) {
    try {
      await feed();
    } catch (error) {
      if (error instanceof LogDamagedError) {
        problem("a part of the log is damaged, and the index leaves it out", error);
        unreadable += error.resumeAt - error.position;
        ({ resumeAt } = error);
        continue;
      }
      problem("the index cannot go on, and tries again", error);
      retryMs = Math.min(maxRetryMs, retryMs === undefined ? minRetryMs : 2 * retryMs);
      await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
}

function* answer(question: IndexQuestion): Steps<IndexAnswer> {
  switch (question.about) {
    case "find":
      return yield* findEvents(store.chunks, compileFilter(question.filter), question.options);
    case "summarise":
      return yield* summariseEvents(store.chunks, compileFilter(question.filter), question.options);
    case "event":
      return eventAtPosition(store.chunks, question.position);
  }
}

async function ask(id: number, question: IndexQuestion): Promise<void> {
  try {
    const value = await runSteps(new TimeSlice(), answer(question));
    tellStatus();
    reply({ type: "answer", id, answer: value });
  } catch (error) {
    // Retention may delete a chunk under a question.
    reply({ type: "failure", id, message: error instanceof Error ? error.message : String(error) });
  }
}

const timers = [
  setInterval(() => attempt("the index cannot be written", () => store.checkpoint()), checkpointMs),
  setInterval(() => attempt("what is too old cannot be deleted", () => store.retain()), retainMs),
  setInterval(tellStatus, statusMs),
  setInterval(() => {
    for (const portion of tails.take()) {
      reply({ type: "news", ...portion });
    }
  }, tellMs),
];

port.on("message", (message: IndexRequest) => {
  switch (message.type) {
    case "log":
      log.update(message.log);
      break;
    case "ask":
      void ask(message.id, message.question);
      break;
    case "tail":
      tails.add(message.id, message.filter);
      break;
    case "untail":
      tails.remove(message.id);
      break;
    case "stop":
      stopping.abort();
      break;
  }
});
attempt("what is too old cannot be deleted", () => store.retain());
tellStatus();
await feedAlways();
await new Promise<void>((resolve) => {
  stopping.signal.addEventListener("abort", () => resolve(), { once: true });
  if (stopping.signal.aborted) {
    resolve();
  }
});
timers.forEach(clearInterval);
attempt("the index cannot be written", () => store.checkpoint());
store[Symbol.dispose]();
tellStatus();
reply({ type: "stopped" });
port.close();
