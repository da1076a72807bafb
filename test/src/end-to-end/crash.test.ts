import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlPlane } from "@gatehouse/testing";
import { KubeConfig, type V1ConfigMap, type V1ConfigMapList, Watch } from "@kubernetes/client-node";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const path = "/api/v1/namespaces/default/configmaps";
const writers = 8;
const crashes = 3;
/** Enough that every crash meets commits under way. */
const writesBetweenCrashes = 300;

interface Load {
  /** Names of the objects whose creation was answered with 201, and the version that the answer told. */
  readonly acknowledged: ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

/** Creates objects side by side, through whatever happens to the server. */
function startLoad(server: ControlPlane): Load {
  const acknowledged = new Map<string, string>();
  let stopped = false;
  async function write(writer: number): Promise<void> {
    for (let count = 0; !stopped; count++) {
      const name = `object-${writer}-${count}`;
      try {
        const { status, body } = await server.client.requestJson({
          method: "POST",
          path,
          body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { load: "yes" } } },
          signal: new AbortController().signal,
          timeoutMs: 60_000,
        });
        if (status === 201) {
          acknowledged.set(name, (body as V1ConfigMap).metadata?.resourceVersion ?? "");
        }
      } catch {
        // The server is down. Whether this object was created nobody knows, and nobody was told.
        await sleep(20);
      }
    }
  }
  const running = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return {
    acknowledged,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

interface SeenEvent {
  readonly type: string;
  readonly name: string;
  readonly version: number;
}

/** Watches from `version` on, and again from the last version seen whenever the connection ends. */
function follow(config: KubeConfig, version: string): { readonly events: readonly SeenEvent[]; stop(): void } {
  const events: SeenEvent[] = [];
  let last = version;
  let stopped = false;
  let current: AbortController | undefined;
  async function watchAgain(): Promise<void> {
    current = await new Watch(config).watch(
      path,
      { resourceVersion: last, labelSelector: "load=yes" },
      (type, object: V1ConfigMap) => {
        last = object.metadata?.resourceVersion ?? "";
        events.push({ type, name: object.metadata?.name ?? "", version: Number(last) });
      },
      () => {
        if (!stopped) {
          setTimeout(() => void watchAgain(), 20);
        }
      },
    );
    if (stopped) {
      current.abort();
    }
  }
  void watchAgain();
  return {
    events,
    stop() {
      stopped = true;
      current?.abort();
    },
  };
}

test("kill -9 under load loses no acknowledged write, and a watcher sees every change once and in order", async () => {
  await using server = await startTestServer();
  const config = new KubeConfig();
  config.loadFromFile(await server.kubeconfigFile());
  const list = async (): Promise<V1ConfigMapList> => {
    const { body } = await server.client.requestJson({
      path: `${path}?labelSelector=load%3Dyes`,
      signal: new AbortController().signal,
      timeoutMs: 60_000,
      maxResponseBytes: 256 * 1024 * 1024,
    });
    return body as V1ConfigMapList;
  };
  const watcher = follow(config, (await list()).metadata?.resourceVersion ?? "");
  const load = startLoad(server);
  try {
    for (let crash = 0; crash < crashes; crash++) {
      const goal = load.acknowledged.size + writesBetweenCrashes;
      await until("enough was written", () => load.acknowledged.size >= goal);
      await server.kill("SIGKILL");
      await server.restart();
    }
    await load.stop();

    const stored = new Map((await list()).items.map(({ metadata }) => [metadata?.name, metadata?.resourceVersion]));
    for (const [name, version] of load.acknowledged) {
      assert.equal(stored.get(name), version, `${name} was acknowledged with version ${version}`);
    }
    const newest = Math.max(...[...stored.values()].map(Number));
    await until("the watcher has seen the last write", () => (watcher.events.at(-1)?.version ?? 0) >= newest);
    assert.deepEqual(
      watcher.events.map(({ type, name, version }) => [type, name, String(version)]),
      [...stored].sort(([, a], [, b]) => Number(a) - Number(b)).map(([name, version]) => ["ADDED", name, version]),
    );
  } finally {
    await load.stop();
    watcher.stop();
  }
});
