import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { type ControlPlane, startControlPlane } from "@gatehouse/testing";
import { eventually } from "@gatehouse/testing/eventually";
import { WebSocket } from "ws";

/*
 * Watches over WebSockets, as v1.29 answers them (asked on 2026-11-23).
 */

const configMaps = "/api/v1/namespaces/default/configmaps";
const origin = "http://localhost";
const limits = { signal: new AbortController().signal, timeoutMs: 60_000 };

let server: ControlPlane;
before(async () => {
  server = await startControlPlane({ authorization: ["AlwaysAllow"] });
});
after(async () => {
  await server?.stop();
});

interface Opened {
  readonly socket: WebSocket;
  readonly messages: { readonly data: Buffer; readonly isBinary: boolean }[];
  readonly closed: Promise<number>;
}

interface OpenOptions {
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

function open(query: string, { protocols = [], headers = {} }: OpenOptions = {}): Opened {
  const url = `wss://127.0.0.1:${server.port}${configMaps}?watch=1${query}`;
  const socket = new WebSocket(url, [...protocols], { ...server.tls, origin, headers });
  const messages: Opened["messages"] = [];
  socket.on("message", (data: Buffer, isBinary) => messages.push({ data, isBinary }));
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  return { socket, messages, closed };
}

/** Sends an upgrade that is refused. Returns code and body of the answer. */
async function refusal(query: string, options: OpenOptions & { readonly origin?: string } = {}) {
  const url = `wss://127.0.0.1:${server.port}${configMaps}?watch=1${query}`;
  const { protocols = [], headers = {}, ...more } = options;
  const socket = new WebSocket(url, [...protocols], { ...server.tls, headers, origin, ...more });
  const [, answer] = await once(socket, "unexpected-response");
  const pieces: Buffer[] = [];
  for await (const piece of answer) {
    pieces.push(piece);
  }
  return { status: answer.statusCode as number, body: Buffer.concat(pieces).toString() };
}

async function create(name: string): Promise<void> {
  const body = JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", metadata: { name } });
  const answer = await server.client.request({ method: "POST", path: configMaps, body, ...limits });
  assert.equal(answer.status, 201);
}

const selecting = (name: string): string => `&fieldSelector=metadata.name%3D${name}`;

test("each event of a watch is one text message in JSON, and the end of its time closes the WebSocket", async () => {
  await create("first");
  const { messages, closed } = open(`&timeoutSeconds=1${selecting("first")}`);
  assert.equal(await closed, 1000);
  assert.deepEqual(
    messages.map(({ data, isBinary }) => [isBinary, JSON.parse(data.toString()).type, data.at(-1)]),
    [[false, "ADDED", 0x0a]],
  );
});

test("events that are written together are messages of their own", async () => {
  const { socket, messages, closed } = open("");
  await once(socket, "open");
  const names = Array.from({ length: 40 }, (_, index) => `many-${index}`);
  await Promise.all(names.map(create));
  await eventually(() => assert.ok(messages.length >= names.length));
  const seen = messages.map(({ data }) => JSON.parse(data.toString()).object.metadata.name as string);
  assert.deepEqual(seen.filter((name) => name.startsWith("many-")).sort(), [...names].sort());
  socket.close(1000);
  await closed;
});

test("a watch in protobuf has binary messages without lengths", async () => {
  await create("binary");
  const headers = { accept: "application/vnd.kubernetes.protobuf" };
  const { messages, closed } = open(`&timeoutSeconds=1${selecting("binary")}`, { headers });
  assert.equal(await closed, 1000);
  assert.deepEqual(
    messages.map(({ data, isBinary }) => [isBinary, data.subarray(0, 7).toString("latin1")]),
    [[true, "\n\u0005ADDED"]],
  );
  assert.ok(messages[0]?.data.includes("k8s\0"));
});

test("one subprotocol is granted without a meaning, and several are refused", async () => {
  const { socket, messages, closed } = open(`&timeoutSeconds=1${selecting("first")}`, {
    protocols: ["base64.binary.k8s.io"],
  });
  await closed;
  assert.equal(socket.protocol, "base64.binary.k8s.io");
  assert.equal(JSON.parse((messages[0]?.data ?? "").toString()).type, "ADDED");
  assert.equal((await refusal("", { protocols: ["a", "b"] })).status, 400);
});

test("requests that are invalid are answered before the upgrade", async () => {
  const bad = await refusal("&fieldSelector=x%3Dy");
  assert.equal(bad.status, 400);
  assert.equal(JSON.parse(bad.body).reason, "BadRequest");
  assert.equal((await refusal("", { headers: { accept: "application/yaml" } })).status, 406);
  assert.deepEqual(await refusal("", { origin: "nowhere" }), { status: 403, body: "" });
});

test("an error after the upgrade is an event", async () => {
  const headers = { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" };
  const { messages, closed } = open(selecting("first"), { headers });
  assert.equal(await closed, 1000);
  assert.deepEqual(messages, []);
});

test("pings are answered, messages of the client are dropped, and its close frame ends the watch", async () => {
  const { socket, closed } = open("");
  await once(socket, "open");
  socket.send("anything");
  socket.ping("hi");
  const [data] = (await once(socket, "pong")) as [Buffer];
  assert.equal(data.toString(), "hi");
  await eventually(async () => assert.equal(await watchesUnderWay(), 1));
  socket.close(1000);
  assert.equal(await closed, 1000);
  await eventually(async () => assert.equal(await watchesUnderWay(), 0));
});

/** Returns the number of watches of config maps in the default namespace that the metrics tell. */
async function watchesUnderWay(): Promise<number> {
  const { body } = await server.client.request({ method: "GET", path: "/metrics", ...limits });
  const line = body
    .toString()
    .split("\n")
    .find(
      (text) =>
        text.startsWith("apiserver_longrunning_requests{") &&
        text.includes('resource="configmaps"') &&
        text.includes('scope="namespace"') &&
        text.includes('verb="WATCH"'),
    );
  return Number(line?.split(" ").at(-1) ?? 0);
}
