import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { RangeOptions, RangeResult } from "@gatehouse/apiserver/storage";
import { MemoryData, MemoryStore } from "@gatehouse/apiserver/storage/memory";
import { parseFlags } from "@gatehouse/component-base/flags";
import { silentLogger } from "@gatehouse/component-base/logs";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { resolveServerConfig, type StartedServer, serverFlags, startServer } from "./index.js";

// v1.29 listens before it has read definitions and APIServices, and answers 503 instead of 404 until then. This server
// listens later, so that there is no such time (decisions/0032).

const folder = await mkdtemp(join(tmpdir(), "paths-before-serving-"));
after(() => rm(folder, { recursive: true }));

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const keyFile = join(folder, "sa.key");
await writeFile(keyFile, privateKey.export({ type: "sec1", format: "pem" }), { mode: 0o600 });

const tokenFile = join(folder, "tokens.csv");
await writeFile(tokenFile, 's3cret,admin,1,"system:masters"\n', { mode: 0o600 });

const group = "early.example.com";
const definitions = "/registry/apiextensions.k8s.io/customresourcedefinitions/";
const apiServices = "/registry/apiregistration.k8s.io/apiservices/";

const names = { plural: "birds", singular: "bird", kind: "Bird", listKind: "BirdList" };
const metadata = (name: string): JsonObject => ({ name, uid: name, generation: 1 });
const stored: Readonly<Record<string, JsonObject>> = {
  [`${definitions}birds.${group}`]: {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: metadata(`birds.${group}`),
    spec: {
      group,
      scope: "Cluster",
      names,
      conversion: { strategy: "None" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
    status: {
      acceptedNames: names,
      storedVersions: ["v1"],
      conditions: ["NamesAccepted", "Established"].map((type) => ({ type, status: "True" })),
    },
  },
  [`${apiServices}v1.elsewhere.example.com`]: {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: metadata("v1.elsewhere.example.com"),
    spec: {
      group: "elsewhere.example.com",
      version: "v1",
      service: { namespace: "nowhere", name: "nothing", port: 443 },
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  },
};

/** A store in which reads of one prefix wait. It emits `asked` with the first of them, and goes on after `release`. */
class HoldingStore extends MemoryStore {
  readonly events = new EventEmitter();
  readonly #prefix: string;
  readonly #released = once(this.events, "release");

  constructor(data: MemoryData, prefix: string) {
    super(data);
    this.#prefix = prefix;
  }

  override async range(options: RangeOptions): Promise<RangeResult> {
    if (options.prefix === this.#prefix) {
      this.events.emit("asked");
      await this.#released;
    }
    return super.range(options);
  }
}

async function filledData(): Promise<MemoryData> {
  const data = new MemoryData();
  await using store = new MemoryStore(data);
  for (const [key, object] of Object.entries(stored)) {
    await store.put(key, Buffer.from(JSON.stringify(object)), { expectedRevision: 0 });
  }
  return data;
}

function start(port: number, store: MemoryStore): StartedServer {
  const parsed = parseFlags(serverFlags, [
    `--cert-dir=${join(folder, "pki")}`,
    `--data-dir=${join(folder, "data")}`,
    ...[
      "--bind-address=127.0.0.1",
      `--secure-port=${port}`,
      "--authorization-mode=RBAC",
      `--token-auth-file=${tokenFile}`,
    ],
    "--service-account-issuer=https://issuer.example.com",
    ...[`--service-account-key-file=${keyFile}`, `--service-account-signing-key-file=${keyFile}`],
  ]);
  const config = resolveServerConfig(parsed.outcome === "run" ? parsed.values : assert.fail());
  return startServer(config, silentLogger, {}, undefined, undefined, { store: () => store });
}

/** Returns a port that nothing listens at. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Returns the error of a connection to a port; undefined when it is open. */
async function connectionError(port: number): Promise<string | undefined> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    socket.destroy();
  }
}

function statusOf(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(
      `https://127.0.0.1:${port}${path}`,
      { rejectUnauthorized: false, agent: false, headers: { authorization: "Bearer s3cret" } },
      (answer) => answer.resume().once("end", () => resolve(answer.statusCode)),
    );
    call.once("error", reject).end();
  });
}

for (const [what, prefix, path, status] of [
  ["definitions", definitions, `/apis/${group}/v1/birds`, 200],
  ["APIServices", apiServices, "/apis/elsewhere.example.com/v1/things", 503],
] as const) {
  test(`the port is closed until ${what} have been read: the first request finds their paths`, async () => {
    const store = new HoldingStore(await filledData(), prefix);
    const port = await freePort();
    const asked = once(store.events, "asked");
    const server = start(port, store);
    try {
      await asked;
      // All that does not wait for this read has its turn meanwhile.
      for (let attempt = 0; attempt < 100; attempt++) {
        assert.equal(await connectionError(port), "ECONNREFUSED");
      }
      store.events.emit("release");
      await server.serving;
      assert.equal(await statusOf(port, path), status);
    } finally {
      store.events.emit("release");
      await server.serving.catch(() => undefined);
      await server.stop();
    }
  });
}
