import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import type { ControlPlane } from "@gatehouse/testing";
import type { ApiClient } from "../spec/support/api-client.js";
import type { WatchDocument } from "../spec/support/api-document.js";
import { assertCode } from "../spec/support/assert-status.js";
import {
  changeConfigMap,
  configMapsPath,
  createConfigMap,
  freshNamespace,
  versionOf,
} from "../spec/support/fixtures.js";
import type { OpenWatch } from "../spec/support/open-watch.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { sampleOf } from "./metric-sample.js";
import {
  isRunning,
  leaderOf,
  remotePortsOf,
  type SpreadClients,
  spreadClients,
  untilServing,
  workerPids,
} from "./workers-of-server.js";

const workers = 3;

describe("A server with workers", () => {
  let folder: string;
  let server: ControlPlane;
  let spread: SpreadClients;
  let clients: readonly ApiClient[];
  let first: ApiClient;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-workers-"));
    const policy = join(folder, "policy.json");
    await writeFile(
      policy,
      JSON.stringify({
        kind: "Policy",
        apiVersion: "audit.k8s.io/v1",
        omitStages: ["RequestReceived"],
        rules: [
          { level: "Request", verbs: ["create"], resources: [{ group: "", resources: ["secrets"] }] },
          { level: "None" },
        ],
      }),
    );
    server = await startTestServer({
      flags: [
        `--workers=${workers}`,
        "--unsafe-no-fsync",
        "--worker-hang-timeout=6s",
        "--admission-webhook-ledger-size=100",
        `--audit-policy-file=${policy}`,
        `--audit-log-path=${join(folder, "audit.log")}`,
        "--audit-log-mode=blocking",
        "--audit-log-maxsize=1",
        "--audit-log-compress",
        // Authors of more objects than these tests make.
        "--controllers=*,-bootstrap-roles,-root-ca-certificate-publisher-controller",
      ],
    });
    await untilServing(server, workers);
    spread = await spreadClients(server, 2 * workers);
    clients = spread.clients;
    [first] = clients as [ApiClient];
  });
  after(async () => {
    spread?.[Symbol.dispose]();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Kills a worker that does not run the controllers. Resolves to its number when another one serves in its place. */
  async function replaceFollower(): Promise<number> {
    const victim = workers === leaderOf(server) ? 1 : workers;
    const pid = workerPids(server).get(victim) ?? 0;
    process.kill(pid, "SIGKILL");
    await untilServing(server, workers, [pid]);
    return victim;
  }

  it("says once that it serves, and all workers are ready", async () => {
    assert.equal(server.logs.text().match(/: serving /g)?.length, 1);
    assert.equal(server.logs.text().match(/--unsafe-no-fsync: no write is flushed/g)?.length, 1);
    for (const client of clients) {
      await until("every worker is ready", async () => (await client.get("/readyz")).text === "ok");
    }
  });

  it("shows a client that changes its worker what it has written, with get, list and watch", async () => {
    const namespace = await freshNamespace(first);
    const path = configMapsPath(namespace, "shared");
    let version = versionOf(await createConfigMap(first, namespace, "shared", { data: { count: "0" } }));
    const from = version;
    const versions: string[] = [];
    for (let count = 1; count <= 30; count++) {
      const writer = clients[count % clients.length] as ApiClient;
      version = versionOf(await changeConfigMap(writer, namespace, "shared", { count: String(count) }));
      versions.push(version);
      for (const reader of clients) {
        const [one, list] = await Promise.all([reader.get(path), reader.get(configMapsPath(namespace))]);
        assert.equal(one.document.metadata.resourceVersion, version);
        assert.equal(
          list.document.items.find(({ metadata }) => metadata.name === "shared")?.data?.["count"],
          `${count}`,
        );
      }
    }
    for (const client of clients) {
      const query = `watch=1&fieldSelector=metadata.name%3Dshared&resourceVersion=${from}`;
      using watch = await client.watch(configMapsPath(namespace, "", query));
      assert.deepEqual((await watch.take(versions.length)).map(versionOfEvent), versions);
    }
  });

  it("resumes a watch on any worker without a gap or a repetition", async () => {
    const namespace = await freshNamespace(first);
    let resumeAt = versionOf(await createConfigMap(first, namespace, "c", { data: { count: "0" } }));
    const written: string[] = [];
    const total = 70;
    const writing = (async () => {
      for (let count = 1; count <= total; count++) {
        const writer = clients[count % clients.length] as ApiClient;
        written.push(versionOf(await changeConfigMap(writer, namespace, "c", { count: String(count) })));
      }
    })();
    const seen: string[] = [];
    for (let turn = 0; seen.length < total; turn++) {
      const query = `watch=1&fieldSelector=metadata.name%3Dc&resourceVersion=${resumeAt}`;
      using watch = await (clients[turn % clients.length] as ApiClient).watch(configMapsPath(namespace, "", query));
      const events = await watch.take(Math.min(7, total - seen.length));
      seen.push(...events.map(versionOfEvent));
      resumeAt = seen.at(-1) ?? resumeAt;
    }
    await writing;
    assert.deepEqual(seen, written);
  });

  it("keeps a quota, whichever workers charge it, while objects go and are counted", async () => {
    const namespace = await freshNamespace(first);
    const quota = { metadata: { name: "q" }, spec: { hard: { configmaps: "10" } } };
    assertCode(await first.post(`/api/v1/namespaces/${namespace}/resourcequotas`, quota), 201);
    const used = async (): Promise<unknown> =>
      (
        (await first.get(`/api/v1/namespaces/${namespace}/resourcequotas/q`)).document as unknown as {
          status: { used?: object };
        }
      ).status.used;
    await until("the quota is counted", async () => (await used()) !== undefined);
    let exist: string[] = [];
    for (let round = 0; round < 4; round++) {
      const names = Array.from({ length: 24 }, (_, index) => `r${round}-${index}`);
      const codes = await Promise.all(
        names.map(async (name, index) => {
          const client = clients[index % clients.length] as ApiClient;
          return (await client.post(configMapsPath(namespace), { metadata: { name } })).status;
        }),
      );
      assert.deepEqual(
        [...new Set(codes)].filter((code) => code !== 201 && code !== 403),
        [],
      );
      exist.push(...names.filter((_, index) => codes[index] === 201));
      assert.ok(exist.length <= 10, `${exist.length} exist`);
      const gone = exist.slice(0, 5);
      exist = exist.slice(5);
      // Those that are deleted are counted while the next ones are charged.
      await Promise.all(gone.map((name) => first.delete(configMapsPath(namespace, name))));
    }
    await until(
      "what exists is counted",
      async () => JSON.stringify(await used()) === JSON.stringify({ configmaps: `${exist.length}` }),
    );
  });

  it("serves a new kind on every worker", async () => {
    const names = { plural: "lamps", singular: "lamp", kind: "Lamp", listKind: "LampList" };
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    const definition = {
      metadata: { name: "lamps.example.com" },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names,
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    };
    assertCode(await first.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition), 201);
    for (const [index, client] of clients.entries()) {
      const lamp = { apiVersion: "example.com/v1", kind: "Lamp", metadata: { name: `lamp-${index}` } };
      await until(
        "the kind is served",
        async () => (await client.post("/apis/example.com/v1/lamps", lamp)).status === 201,
      );
      assert.equal((await client.get("/apis/example.com/v1/lamps")).document.items.length, index + 1);
      await until("discovery knows the kind", async () => (await client.get("/apis/example.com/v1")).status === 200);
    }
  });

  it("lists writes that went on without a webhook on every worker, as soon as they are answered", async () => {
    const namespace = await freshNamespace(first);
    const hook = {
      name: "nobody.example.com",
      clientConfig: { url: "https://127.0.0.1:1/" },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
      failurePolicy: "Ignore",
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    };
    const webhooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    const created = await first.post(webhooks, { metadata: { name: "nobody" }, webhooks: [hook] });
    assertCode(created, 201);
    for (const [index, client] of clients.entries()) {
      // A consistent read of the configuration: from then on the worker knows it.
      assertCode(await client.get(webhooks), 200);
      await createConfigMap(client, namespace, `c${index}`);
      const reader = clients[(index + 1) % clients.length] as ApiClient;
      const ledger = (await reader.get("/gatehouse/failed-open")).document as unknown as Ledger;
      const names = ledger.items.filter((entry) => entry.namespace === namespace).map(({ name }) => name);
      assert.deepEqual(
        names,
        Array.from({ length: index + 1 }, (_, count) => `c${count}`),
      );
    }
    assertCode(await first.delete(`${webhooks}/nobody`), 200);
  });

  it("records every event once in files of one name, which are put aside and compressed", async () => {
    const namespace = await freshNamespace(first);
    const filler = Buffer.alloc(30_000, "x").toString("base64");
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    const ids = (
      await Promise.all(
        clients.map(async (client, index) => {
          const audited: string[] = [];
          for (let count = 0; count < 15; count++) {
            const secret = { metadata: { name: `s${index}-${count}` }, data: { filler } };
            const answer = await client.post(secrets, secret);
            assertCode(answer, 201);
            audited.push(String(answer.headers["audit-id"]));
          }
          return audited;
        }),
      )
    ).flat();
    const aside = await until("the files put aside are compressed", async () => {
      const names = (await readdir(folder)).filter((name) => name.startsWith("audit-"));
      return names.length >= 3 && names.every((name) => name.endsWith(".gz")) ? names : undefined;
    });
    const texts = await Promise.all(
      [...aside, "audit.log"].map(async (name) => {
        const bytes = await readFile(join(folder, name));
        return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
      }),
    );
    const recorded = texts.flatMap((text) => text.split("\n").filter((line) => line !== ""));
    const events = recorded.map((line) => JSON.parse(line) as { auditID: string; objectRef: { namespace: string } });
    const ours = events.filter(({ objectRef }) => objectRef.namespace === namespace).map(({ auditID }) => auditID);
    assert.deepEqual(ours.sort(), ids.sort());
  });

  it("counts the requests of all workers, and no counter goes backwards when one is killed", async () => {
    const series = 'apiserver_request_total{verb="GET",dry_run="",group="",version="v1",resource="nodes"';
    const count = async (client: ApiClient): Promise<number> => sampleOf((await client.get("/metrics")).text, series);
    for (const client of clients) {
      await client.get("/api/v1/nodes/nobody");
    }
    for (const client of clients) {
      // A request is counted after its answer; a worker of a busy machine may tell of it in the next scrape.
      await until("all requests are counted", async () => (await count(client)) === clients.length);
    }
    await replaceFollower();
    using fresh = await spreadClients(server, 1);
    const [other] = fresh.clients as [ApiClient];
    assert.equal(await count(other), clients.length);
    await other.get("/api/v1/nodes/nobody");
    await until("one more request is counted", async () => (await count(other)) === clients.length + 1);
  });

  it("changes the verbosity of the log in all workers, and in those that come later", async () => {
    const setVerbosity = async (verbosity: number): Promise<void> =>
      assertCode(await first.request("PUT", "/debug/flags/v", { body: String(verbosity) }), 200);
    const requestIsLoggedBy = (worker: number, name: string): Promise<unknown> =>
      until(`worker ${worker} logs a request`, async () => {
        // Enough for each worker to get some, though a new worker has no connections yet, and gets the first ones.
        using fresh = await spreadClients(server, 4 * workers);
        for (const client of fresh.clients) {
          await client.get(`/api/v1/nodes/${name}`);
        }
        return new RegExp(`DEBUG .*worker=${worker} .*/nodes/${name}`).test(server.logs.text());
      });
    await setVerbosity(4);
    for (let worker = 1; worker <= workers; worker++) {
      await requestIsLoggedBy(worker, "before");
    }
    const replaced = await replaceFollower();
    await requestIsLoggedBy(replaced, "after");
    await setVerbosity(0);
  });

  it("goes on with its controllers when the worker that ran them is killed, and other connections notice nothing", async () => {
    const leader = leaderOf(server);
    const pid = workerPids(server).get(leader) ?? 0;
    using all = await spreadClients(server, 4 * workers);
    const namespace = await freshNamespace(all.clients[0] as ApiClient);
    const watches = await Promise.all(
      all.clients.map((client) => client.watch(configMapsPath(namespace, "", "watch=1"))),
    );
    const cut = await remotePortsOf(pid);
    process.kill(pid, "SIGKILL");
    await untilServing(server, workers, [pid]);
    assert.notEqual(leaderOf(server), leader);
    using fresh = await spreadClients(server, 1);
    const [client] = fresh.clients as [ApiClient];
    await createConfigMap(client, namespace, "after");
    await assertCutOff(watches, cut);
    const later = await freshNamespace(client);
    await until(
      "the controllers make the default service account",
      async () => (await client.get(`/api/v1/namespaces/${later}/serviceaccounts/default`)).status === 200,
    );
  });

  it("replaces a worker that hangs, and the connections of the others notice nothing", async () => {
    const before = workerPids(server);
    const [number, pid] = [...before].find(([number]) => number !== leaderOf(server)) as [number, number];
    using all = await spreadClients(server, 4 * workers);
    const namespace = await freshNamespace(all.clients[0] as ApiClient);
    const watches = await Promise.all(
      all.clients.map((client) => client.watch(configMapsPath(namespace, "", "watch=1"))),
    );
    const cut = await remotePortsOf(pid);
    process.kill(pid, "SIGSTOP");
    const after = await untilServing(server, workers, [pid]);
    assert.notEqual(after.get(number), pid);
    assert.deepEqual(
      [...after.values()].filter((now) => ![...before.values()].includes(now)).length,
      1,
      "no other worker is replaced",
    );
    using fresh = await spreadClients(server, 1);
    await createConfigMap(fresh.clients[0] as ApiClient, namespace, "after");
    await assertCutOff(watches, cut);
  });

  it("ends all its processes with exit code 0 when it is asked to, and none outlives a parent that is killed", async () => {
    const before = [...workerPids(server).values()];
    spread[Symbol.dispose]();
    assert.equal(await server.kill("SIGTERM"), 0);
    assert.deepEqual(before.filter(isRunning), []);
    await server.restart();
    const after = [...(await untilServing(server, workers, before)).values()];
    await server.kill("SIGKILL");
    await until("the workers have ended", () => !after.some(isRunning));
  });

  it("ends when its parent hangs, so that a service manager starts it again", async () => {
    await server.restart();
    const pids = [...(await untilServing(server, workers)).values()];
    const { pid } = server;
    process.kill(pid, "SIGSTOP");
    await until("all processes have ended", () => ![pid, ...pids].some(isRunning));
    assert.match(server.logs.text(), /the parent of the workers has hung; the server ends/);
  });
});

/** Resolves to the name of the object of the next event, or to `cut off` when the watch has ended. */
async function nameOfNext(watch: OpenWatch): Promise<string | undefined> {
  return watch.next().then(
    (event) => event.object.metadata.name,
    () => "cut off",
  );
}

/** Asserts that of the watches, which see one more event, those have been cut off whose ports are given, and only those. */
async function assertCutOff(watches: readonly OpenWatch[], cut: ReadonlySet<number>): Promise<void> {
  const ends = await Promise.all(watches.map(nameOfNext));
  for (const watch of watches) {
    watch[Symbol.dispose]();
  }
  assert.deepEqual(
    ends,
    watches.map(({ localPort }) => (cut.has(localPort) ? "cut off" : "after")),
  );
  assert.deepEqual([...new Set(ends)].sort(), ["after", "cut off"]);
}

interface Ledger {
  readonly items: readonly { readonly namespace: string; readonly name: string }[];
}

function versionOfEvent({ object }: WatchDocument): string {
  return versionOf(object);
}
