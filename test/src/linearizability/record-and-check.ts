import type { TestContext } from "node:test";
import { sumOf } from "../crash/recorded-write.js";
import { type RecordingWatcher, startWatcher } from "../crash/recording-watcher.js";
import { stopping } from "../crash/stopping.js";
import type { ApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { versionOf } from "../spec/support/fixtures.js";
import { until } from "../support/until.js";
import { checkHistory } from "./check-history.js";
import { type Fault, runFaults } from "./faults.js";
import { RecordedHistory } from "./recorded-history.js";
import { runClient } from "./recording-client.js";

/** The number of requests of a history; `npm run soak` makes many. */
export const historyRequests = Number(process.env["HISTORY_REQUESTS"] ?? 400);

/** True in the soak, where more servers and longer faults are worth their time. */
export const isLong = historyRequests > 10_000;

const clientCount = 16;
const watcherCount = 3;
const names = Array.from({ length: 12 }, (_, index) => `r${index}`);
const collection = "/api/v1/namespaces/history/configmaps";

/** The system on which a history is made. */
export interface HistorySystem {
  /** Connections to all servers or workers, on which requests fail soon. */
  readonly connections: readonly ApiClient[];
  /** Connections for watches. */
  readonly watching: readonly ApiClient[];
  readonly faults: readonly Fault[];
}

/** Lets clients read and write while faults happen, each one once at least, then checks what they were told. */
export async function recordAndCheck(
  context: TestContext,
  { connections, watching, faults }: HistorySystem,
): Promise<void> {
  const first = watching[0] as ApiClient;
  assertCode(await first.post("/api/v1/namespaces", { metadata: { name: "history" } }), 201);
  const from = await until("the namespace is there", async () => {
    const { status, document } = await first.get(collection);
    return status === 200 && versionOf(document);
  });
  const history = new RecordedHistory(names);
  const [writingEnd, faultsEnd, watchingEnd] = [new AbortController(), new AbortController(), new AbortController()];
  // A test that fails must not leave anything running.
  using _ = stopping(writingEnd, faultsEnd, watchingEnd);
  const watchers = Array.from({ length: watcherCount }, (_, index) =>
    startWatcher(movingWatches(watching, index), collection, from, watchingEnd.signal),
  );
  const watched = Promise.all(watchers.map(({ done }) => done));
  const running = runFaults(faults, {
    rounds: isLong ? Number.POSITIVE_INFINITY : 1,
    maxPauseMs: isLong ? 1000 : 50,
    signal: faultsEnd.signal,
  });
  const isOver = (): boolean =>
    writingEnd.signal.aborted || (history.requests >= historyRequests && running.allHappened);
  const clients = Promise.all(
    Array.from({ length: clientCount }, () => runClient({ collection, connections }, history, isOver)),
  ).finally(() => faultsEnd.abort());
  try {
    await Promise.race([Promise.all([clients, running.done]), watched.then(() => clients)]);
  } finally {
    writingEnd.abort();
    faultsEnd.abort();
    await running.done;
  }
  await writeFence(first, watchers);
  watchingEnd.abort();
  await watched;

  context.diagnostic(`${history.requests} requests: ${history.describeAnswers()}`);
  context.diagnostic(`faults: ${JSON.stringify(Object.fromEntries(running.counts))}`);
  context.diagnostic(`${watchers[0]?.events.length} changes, ${history.lists.length} lists`);
  checkHistory(history, watchers);
}

/** Waits until every watcher has seen a last write, after which nothing comes. */
async function writeFence(client: ApiClient, watchers: readonly RecordingWatcher[]): Promise<void> {
  await until("the last write is there", async () => {
    const answer = await client.post(collection, { metadata: { name: "fence" }, data: { value: "", sum: sumOf("") } });
    return answer.status === 201 || answer.status === 409;
  });
  await until("every watcher has seen the last write", () =>
    watchers.every(({ events }) => events.at(-1)?.name === "fence"),
  );
}

/** Makes each watch end after two seconds and go on at the next server. */
function movingWatches(clients: readonly ApiClient[], start: number): ApiClient {
  let next = start;
  const watch: ApiClient["watch"] = (path) => {
    const client = clients[next++ % clients.length] as ApiClient;
    return client.watch(`${path}&timeoutSeconds=2`);
  };
  return { ...(clients[start % clients.length] as ApiClient), watch };
}
