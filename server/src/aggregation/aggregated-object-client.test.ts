import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObjectClient } from "@gatehouse/apiserver/client";
import { ServerLog } from "@gatehouse/apiserver/logs";
import type { OwnWriteTrail } from "@gatehouse/apiserver/request";
import { createLogger } from "@gatehouse/component-base/logs";
import { eventually } from "@gatehouse/testing/eventually";
import { AggregatedObjectClient } from "./aggregated-object-client.js";
import { ApiServiceTable } from "./api-service-table.js";
import type { BackendRequest } from "./backends.js";
import { RemoteRequests } from "./remote-requests.js";

const flunders = { group: "wardle.example.com", version: "v1", resource: "flunders" };
const stated = {
  resources: [
    {
      resource: "flunders",
      responseKind: { kind: "Flunder" },
      scope: "Namespaced",
      verbs: ["delete", "get", "list", "watch"],
    },
    { resource: "readings", responseKind: { kind: "Reading" }, scope: "Namespaced", verbs: ["get", "list"] },
  ],
};

/** An answer: a Status or another object, a text that is no JSON, or an error when the server cannot be reached. */
type Answer = { readonly status: number; readonly body: object | string } | Error;

/** Opens a client whose server answers by `answer`; a watch stays open until it is ended. */
function open(answer: (request: BackendRequest) => Answer, available = "True") {
  const table = new ApiServiceTable();
  table.present("", "v1.wardle.example.com", {
    metadata: { name: "v1.wardle.example.com" },
    spec: { group: flunders.group, version: "v1", service: { namespace: "wardle", name: "api" } },
    status: { conditions: [{ type: "Available", status: available }] },
  });
  const sent: BackendRequest[] = [];
  const recorded: string[] = [];
  const request = async (_apiService: unknown, request: BackendRequest) => {
    sent.push(request);
    if (request.path.includes("watch=true")) {
      await new Promise((_resolve, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason));
      });
    }
    const given = answer(request);
    if (given instanceof Error) {
      throw given;
    }
    const text = typeof given.body === "string" ? given.body : JSON.stringify(given.body);
    return { status: given.status, headers: {}, body: Buffer.from(text) };
  };
  const ending = new AbortController();
  const client = new AggregatedObjectClient({
    table,
    discovery: { of: () => ({ stated, isCurrent: true }), onChange: () => ({ [Symbol.dispose]() {} }) },
    requests: new RemoteRequests({
      table,
      backends: { request },
      controller: {
        name: "collector",
        agent: "kube-controller-manager",
        assertMayWrite() {},
        recordOwnWrite(write) {
          const { controller, verb, namespace, name } = write;
          const entry = [controller, verb, namespace, name].join(" ");
          const trail: Partial<OwnWriteTrail> = {
            begin: async (object) =>
              void recorded.push(`${entry}: begins ${object === undefined ? "without" : "with"} body`),
            end: async (code, object) =>
              void recorded.push(`${entry}: ${code} ${object === undefined ? "without" : "with"} body`),
          };
          return trail as OwnWriteTrail;
        },
      },
    }),
    verbs: ["delete", "list", "watch"],
    local: { followResources() {}, find: () => undefined, async catchUp() {} } as Partial<ObjectClient> as ObjectClient,
    signal: ending.signal,
  });
  return { client, sent, recorded, ending };
}

const notFound = {
  kind: "Status",
  apiVersion: "v1",
  status: "Failure",
  reason: "NotFound",
  code: 404,
  message: "none",
};

test("an object of another server is missing when an available server says so", async () => {
  const { client } = open(() => ({ status: 404, body: notFound }));
  assert.equal(await client.get(flunders, "sea", "bo"), undefined);
});

const unknowns: readonly (readonly [string, Answer, string])[] = [
  ["a page that is not found", { status: 404, body: "404 page not found" }, "True"],
  ["503", { status: 503, body: "service unavailable" }, "True"],
  ["nothing", new Error("connection refused"), "True"],
  ["that it is missing, while the server is not available", { status: 404, body: notFound }, "False"],
];
for (const [text, answer, available] of unknowns) {
  test(`an object is not taken as missing when its server answers ${text}`, async () => {
    const { client } = open(() => answer, available);
    await assert.rejects(client.get(flunders, "sea", "bo"));
  });
}

test("resources that cannot be deleted, listed and watched are not followed", () => {
  const { client, ending } = open(() => new Error("not asked"));
  const followed: string[] = [];
  client.followResources(({ resource }) => followed.push(resource), ending.signal);
  assert.deepEqual(followed, ["flunders"]);
});

test("the objects of a server that goes away stay known, and nobody waits for it longer than one failure", async () => {
  let isUp = true;
  const items = [{ metadata: { namespace: "sea", name: "bo", uid: "1" } }];
  const { client, ending } = open(() => (isUp ? { status: 200, body: { items } } : new Error("connection refused")));
  const errors: unknown[] = [];
  const observer = { onList() {}, onEvent() {}, onError: (error: unknown) => errors.push(error) };
  await client.observe(flunders, observer, ending.signal);
  await client.catchUp();
  assert.notEqual(client.cached(flunders, "sea", "bo"), undefined);
  isUp = false;
  await assert.rejects(client.catchUp(), /connection refused/);
  await client.catchUp();
  assert.notEqual(client.cached(flunders, "sea", "bo"), undefined);
  ending.abort();
});

test("a server that is away is told of once, without a stack, until it has answered again", async (context) => {
  let isUp = false;
  let asked = 0;
  const { client, ending } = open(() => {
    asked++;
    return isUp ? { status: 200, body: { items: [] } } : { status: 502, body: "away" };
  });
  context.after(() => ending.abort());
  const lines: string[] = [];
  const logger = createLogger({
    name: "test",
    level: "info",
    format: "text",
    write: (line: string) => void lines.push(line),
  });
  let lists = 0;
  const log = new ServerLog(logger);
  const onError = (error: unknown): void => log.controllerFailed("garbage-collector", error);
  const observer = { onList: () => void lists++, onEvent() {}, onError };
  await client.observe(flunders, observer, ending.signal);
  await eventually(async () => assert.ok(asked >= 2));
  assert.equal(lines.length, 1, lines.join(""));
  assert.match(lines[0] ?? "", /controller failed; it will try again/);
  assert.match(lines[0] ?? "", /the server answered 502/);
  assert.doesNotMatch(lines[0] ?? "", / at |\.js:/);
  isUp = true;
  await eventually(async () => assert.equal(lists, 1));
  isUp = false;
  await assert.rejects(client.catchUp(), /the server answered 502/);
  await eventually(async () => assert.equal(lines.length, 2));
});

test("objects are counted once their server has told them, and as last known while it is away", async () => {
  let isUp = false;
  const items = [
    { metadata: { namespace: "sea", name: "bo", uid: "1" } },
    { metadata: { namespace: "lake", name: "al", uid: "2" } },
  ];
  const { client, ending } = open(() => (isUp ? { status: 200, body: { items } } : new Error("connection refused")));
  const found = client.find({ group: flunders.group, resource: "flunders" });
  assert.equal(found?.version, "v1");
  assert.equal(client.find({ group: flunders.group, resource: "readings" }), undefined);
  let lists = 0;
  const observer = { onList: () => void lists++, onEvent() {}, onError() {} };
  await client.observe(found, observer, ending.signal);
  assert.equal(await client.count(found, "sea"), undefined);
  isUp = true;
  await eventually(async () => assert.equal(lists, 1));
  assert.equal(await client.count(found, "sea"), 1);
  assert.equal(await client.count(found, "land"), 0);
  isUp = false;
  await assert.rejects(client.catchUp(), /connection refused/);
  assert.equal(await client.count(found, "sea"), 1);
  ending.abort();
});

const outcomes: readonly (readonly [string, Answer, number])[] = [
  ["is done", { status: 200, body: {} }, 200],
  ["is refused", { status: 409, body: { ...notFound, reason: "Conflict" } }, 409],
  ["finds nothing", { status: 404, body: notFound }, 404],
  ["cannot be sent", new Error("connection refused"), 503],
];
for (const [text, answer, code] of outcomes) {
  test(`a deletion that ${text} is recorded with its code and without a body`, async () => {
    const { client, recorded } = open(() => answer);
    await client.delete(flunders, "sea", "bo").catch(() => {});
    const entry = "collector delete sea bo";
    assert.deepEqual(recorded, [`${entry}: begins without body`, `${entry}: ${code} without body`]);
  });
}

test("catching up tells the observer of objects that have come, changed and gone", async () => {
  const object = (name: string, uid: string) => ({ metadata: { namespace: "sea", name, uid } });
  let items = [object("changes", "1"), object("goes", "2"), object("stays", "3")];
  const { client, ending } = open(() => ({ status: 200, body: { items } }));
  const seen: string[] = [];
  const observer = {
    onList: (objects: readonly { readonly name: string }[]) => void seen.push(...objects.map(({ name }) => name)),
    onEvent: ({ type, name }: { readonly type: string; readonly name: string }) => void seen.push(`${type} ${name}`),
    onError: (error: unknown) => assert.fail(String(error)),
  };
  await client.observe(flunders, observer, ending.signal);
  await eventually(async () => assert.deepEqual(seen, ["changes", "goes", "stays"]));
  items = [object("changes", "4"), object("stays", "3"), object("comes", "5")];
  await client.catchUp();
  assert.deepEqual(seen.slice(3), ["DELETED goes", "MODIFIED changes", "ADDED comes"]);
  ending.abort();
});

test("an update writes the changed owners for the version that was read, and looks again after a conflict", async () => {
  let conflicts = 1;
  const read = { metadata: { name: "bo", uid: "1", resourceVersion: "7", ownerReferences: [{ uid: "o" }] } };
  const { client, sent, recorded } = open(({ method }) => {
    if (method === "PATCH" && conflicts-- > 0) {
      return { status: 409, body: { ...notFound, reason: "Conflict" } };
    }
    return { status: 200, body: read };
  });
  await client.update(flunders, { namespace: "sea", name: "bo" }, (object) => {
    (object["metadata"] as { ownerReferences?: unknown[] }).ownerReferences = [];
    return object;
  });
  assert.deepEqual(
    sent.map(({ method }) => method),
    ["GET", "PATCH", "GET", "PATCH"],
  );
  assert.deepEqual(JSON.parse(sent[1]?.body ?? ""), {
    metadata: { uid: "1", resourceVersion: "7", ownerReferences: [] },
  });
  const entry = "collector patch sea bo";
  assert.deepEqual(
    recorded,
    [409, 200].flatMap((code) => [`${entry}: begins without body`, `${entry}: ${code} without body`]),
  );
});
