import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import {
  type AdmissionParts,
  type AdmissionPluginDefinition,
  type ApiServer,
  type ApiServerOptions,
  type AuditEvent,
  type AuditOutput,
  type Authenticator,
  type Authorizer,
  defineComputedResource,
  defineResource,
  noOpinion,
  ObjectsInMemory,
  refusal,
  startApiServer,
} from "../index.js";
import { openLmdbStore } from "../storage/lmdb/lmdb-store.js";

const group = "shop.example.com";
const shirts = defineResource({ group, version: "v1", resource: "shirts", kind: "Shirt", namespaced: true });
const groups: ApiServerOptions["groups"] = [{ name: group, versions: ["v1"], resources: [shirts] }];
const shirt = (name: string): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind: "Shirt",
  metadata: { name, namespace: "shop" },
});
const path = `/apis/${group}/v1/namespaces/shop/shirts`;

/** Knows every user by the header `x-user`. */
const byHeader: Authenticator = {
  authenticate({ headers }) {
    const username = headers["x-user"];
    return typeof username === "string" ? { outcome: "authenticated", user: { username, groups: [] } } : noOpinion;
  },
};
/** Allows everything to alice. */
const onlyAlice: Authorizer = {
  authorize: ({ user }) => ({ decision: user.username === "alice" ? "allow" : "noOpinion", reason: "" }),
};
const site = { groups, authenticators: [byHeader], authorizers: [onlyAlice] } satisfies ApiServerOptions;

interface Answer {
  readonly code: number | undefined;
  readonly text: string;
}

function send(server: ApiServer, target: string, user: string, sent?: JsonObject): Promise<Answer> {
  const { promise, resolve, reject } = deferred<Answer>();
  const options = {
    ca: server.certificateAuthority,
    method: sent === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...(user === "" ? {} : { "x-user": user }) },
    agent: false as const,
  };
  const call = request(`${server.url}${target}`, options, (answer) => {
    let text = "";
    answer.setEncoding("utf8").on("data", (more) => {
      text += more;
    });
    answer.once("end", () => resolve({ code: answer.statusCode, text }));
  });
  call.once("error", reject);
  call.end(sent && JSON.stringify(sent));
  return promise;
}

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

test("a server without authenticators and authorizers answers nobody, and its own client may do everything", async () => {
  await using server = await startApiServer({ groups });
  assert.equal((await send(server, path, "alice")).code, 401);
  await server.client.create(shirts, shirt("blue"));
  assert.equal(await server.client.count(shirts, "shop"), 1);
  assert.equal(await server.isReady(), true);
});

test("an authenticator and an authorizer of one's own decide about requests", async () => {
  await using server = await startApiServer(site);
  assert.equal((await send(server, path, "alice", shirt("blue"))).code, 201);
  assert.equal((await send(server, path, "mallory")).code, 403);
  assert.equal((await send(server, path, "")).code, 401);
});

test("an admission plugin of one's own is made of the parts that it asks for, and may refuse a write", async () => {
  const noSecond: AdmissionPluginDefinition<Pick<AdmissionParts, "objects">> = {
    name: "NoSecond",
    isOnByDefault: true,
    make({ objects }) {
      const known = objects.view(shirts, (object) => object);
      return {
        name: "NoSecond",
        concerns: ({ operation }) => operation === "CREATE",
        async validate(attributes) {
          await known.catchUp(attributes.signal);
          if (known.list("shop").length > 0) {
            throw refusal(attributes, "there is a shirt");
          }
        },
      };
    },
  };
  await using server = await startApiServer({ ...site, admission: { plugins: [noSecond] } });
  assert.equal((await send(server, path, "alice", shirt("blue"))).code, 201);
  const { code, text } = await send(server, path, "alice", shirt("red"));
  assert.equal(code, 403);
  assert.match(text, /there is a shirt/);
});

test("an audit output of one's own gets the events that the policy asks for, and is closed with the server", async () => {
  const events: AuditEvent[] = [];
  let isClosed = false;
  const output: AuditOutput = {
    name: "memory",
    open: () => ({
      name: "memory",
      process: (more) => events.push(...more) > 0,
      async close() {
        isClosed = true;
      },
    }),
  };
  const policy = { omitStages: ["RequestReceived"], rules: [{ level: "Metadata" as const }] };
  const server = await startApiServer({ ...site, audit: { policy, outputs: [output] } });
  await send(server, path, "alice", shirt("blue"));
  await server[Symbol.asyncDispose]();
  assert.equal(isClosed, true);
  const recorded = events.map(({ document }) => JSON.parse(document)).filter(({ verb }) => verb === "create");
  assert.deepEqual(
    recorded.map(({ user, objectRef, stage }) => [user.username, objectRef.resource, stage]),
    [["alice", "shirts", "ResponseComplete"]],
  );
});

test("a store that is handed in keeps the objects and stays open when the server has stopped", async () => {
  const directory = await mkdtemp(join(tmpdir(), "own-store-"));
  try {
    await using store = await openLmdbStore({ directory });
    await using server = await startApiServer({ ...site, store, keyPrefix: "/shop/" });
    await server.client.create(shirts, shirt("blue"));
    await server[Symbol.asyncDispose]();
    const { kvs } = await store.range({ prefix: "/shop/" });
    assert.deepEqual(
      kvs.map(({ key }) => key),
      [`/shop/${group}/shirts/shop/blue`],
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("a computed resource serves the verbs that it has functions for, and discovery names no others", async () => {
  const ticks = defineComputedResource({
    group,
    version: "v1",
    resource: "ticks",
    kind: "Tick",
    namespaced: false,
    list: () => ["one", "two"].map((name) => ({ metadata: { name } })),
    async *watch() {
      yield { type: "ADDED", object: { metadata: { name: "one" } } };
      yield { type: "DELETED", object: { metadata: { name: "one" } } };
    },
  });
  await using server = await startApiServer({
    ...site,
    groups: [{ name: group, versions: ["v1"], resources: [ticks] }],
  });
  const base = `/apis/${group}/v1`;
  const { resources } = JSON.parse((await send(server, base, "alice")).text);
  assert.deepEqual(resources[0].verbs, ["list", "watch"]);
  const list = JSON.parse((await send(server, `${base}/ticks?fieldSelector=metadata.name=two`, "alice")).text);
  assert.deepEqual(list.items, [{ apiVersion: `${group}/v1`, kind: "Tick", metadata: { name: "two" } }]);
  const events = (await send(server, `${base}/ticks?watch=1`, "alice")).text.trim().split("\n");
  assert.deepEqual(
    events.map((line) => JSON.parse(line).type),
    ["ADDED", "DELETED"],
  );
  assert.equal((await send(server, `${base}/ticks/one`, "alice")).code, 405);
});

test("a watch of objects in memory goes on after a list, and shows what selectors want as coming and going", async () => {
  const objects = new ObjectsInMemory<{
    readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  }>();
  const ticks = defineComputedResource({
    ...{ group, version: "v1", resource: "ticks", kind: "Tick", namespaced: false },
    ...objects.functions,
  });
  await using server = await startApiServer({
    ...site,
    groups: [{ name: group, versions: ["v1"], resources: [ticks] }],
  });
  const base = `/apis/${group}/v1/ticks`;
  const list = async () => JSON.parse((await send(server, base, "alice")).text);
  const before = (await list()).metadata.resourceVersion;
  objects.set({ metadata: { name: "a", labels: { size: "small" } } });
  objects.set({ metadata: { name: "a", labels: { size: "large" } } });
  objects.set({ metadata: { name: "a", labels: { size: "small" } } });
  objects.delete("", "a");
  const watched = async (query: string): Promise<readonly string[]> => {
    const { text } = await send(server, `${base}?watch=1&timeoutSeconds=1&${query}`, "alice");
    const events = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    return events.map(({ type, object }) => `${type} ${object.metadata?.labels?.size ?? object.reason}`);
  };
  const versionOf = `resourceVersion=${before}`;
  const [all, large, foreign] = await Promise.all([
    watched(versionOf),
    watched(`${versionOf}&labelSelector=size%3Dlarge`),
    watched("resourceVersion=7"),
  ]);
  assert.deepEqual(all, ["ADDED small", "MODIFIED large", "MODIFIED small", "DELETED small"]);
  assert.deepEqual(large, ["ADDED large", "DELETED large"]);
  assert.deepEqual(foreign, ["ERROR Expired"]);
  const after = (await list()).metadata.resourceVersion;
  assert.equal(Number(after) - Number(before), 4);
});

test("a server without a folder leaves nothing behind, also when its start fails", async () => {
  const folder = await mkdtemp(join(tmpdir(), "no-folder-"));
  const usual = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    const server = await startApiServer(site);
    assert.equal((await readdir(folder)).length, 1);
    await server[Symbol.asyncDispose]();
    const failing = startApiServer({ ...site, extend: () => Promise.reject(new Error("no such part")) });
    await assert.rejects(failing, { message: "no such part" });
    assert.deepEqual(await readdir(folder), []);
  } finally {
    if (usual === undefined) {
      delete process.env["TMPDIR"];
    } else {
      process.env["TMPDIR"] = usual;
    }
    await rm(folder, { recursive: true });
  }
});
