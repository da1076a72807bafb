import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Store, StoreEvent } from "@gatehouse/apiserver/storage";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { collectUntil } from "@gatehouse/testing/store-contract";
import { stampOf } from "./stamped-value.js";
import type { StoreWriterOptions } from "./store-writer.js";

export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string;
}

export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), "gatehouse-store-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export interface WriterProcess {
  readonly child: ChildProcess;
  /** Acknowledged writes, by revision: `put KEY STAMP` or `delete KEY`. */
  readonly acknowledged: Map<number, string>;
  /** Resolves with how the process ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly errors: string }>;
}

export function startWriterProcess(options: StoreWriterOptions, wrapper: readonly string[] = []): WriterProcess {
  const script = fileURLToPath(new URL("./store-writer.js", import.meta.url));
  const command = [...wrapper, process.execPath, script, JSON.stringify(options)];
  const child = spawn(command[0] as string, command.slice(1), { stdio: ["ignore", "pipe", "pipe"] });
  const acknowledged = new Map<number, string>();
  let errors = "";
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() as string;
    for (const line of lines) {
      const space = line.indexOf(" ");
      acknowledged.set(Number(line.slice(0, space)), line.slice(space + 1));
    }
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, errors }));
  return { child, acknowledged, ended };
}

/** Fails unless the log has every revision since `afterRevision` once, in order, and every acknowledged write among them. */
export async function assertIntact(
  directory: string,
  afterRevision: number,
  acknowledged: ReadonlyMap<number, string>,
): Promise<void> {
  const store = await openLmdbStore({ directory });
  try {
    const last = await store.currentRevision();
    const events = await collectUntil(store, { prefix: "/", afterRevision, revision: last });
    assert.deepEqual(
      events.map((event) => event.revision),
      Array.from({ length: last - afterRevision }, (_, i) => afterRevision + 1 + i),
      "the log has no holes",
    );
    for (const [revision, what] of acknowledged) {
      assert.ok(revision <= last, `acknowledged revision ${revision} is lost`);
      if (revision > afterRevision) {
        assert.equal(describeEvent(events[revision - afterRevision - 1] as StoreEvent), what);
      }
    }
    await assertStateMatches(store, events);
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

/** The live keys are what the log says. */
async function assertStateMatches(store: Store, events: readonly StoreEvent[]): Promise<void> {
  const { kvs } = await store.range({ prefix: "/" });
  const live = new Map(kvs.map((kv) => [kv.key, kv]));
  const newest = new Map(events.map((event) => [event.key, event]));
  for (const [key, event] of newest) {
    const expected = event.type === "put" ? event.revision : undefined;
    assert.equal(live.get(key)?.modRevision, expected, `${key} is as its last event says`);
  }
  for (const { key, value } of kvs) {
    assert.ok(key === "/shared/counter" || stampOf(value) !== undefined, `${key} is whole`);
  }
}

function describeEvent(event: StoreEvent): string {
  if (event.type === "delete") {
    return `delete ${event.key}`;
  }
  const stamp = event.key === "/shared/counter" ? String(event.value) : stampOf(event.value);
  return `put ${event.key} ${stamp ?? "(torn)"}`;
}
