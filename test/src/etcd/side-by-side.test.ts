import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { HttpClient } from "@gatehouse/component-base/http-client";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";
import { createRandom, type Random } from "../fuzz/random.js";
import { noPeer, type PeerServer, startPeerServer } from "../support/peer-server.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { sharedKinds } from "./shared-kinds.js";

const writes = Number(process.env["SIDE_BY_SIDE_WRITES"] ?? 0);
const seed = Number(process.env["FUZZ_SEED"] ?? 1);
const skip = writes === 0 ? "a part of npm run soak" : (noPeer ?? false);

/** Writes between comparisons: kube-apiserver keeps the events of a hundred changes of a resource. */
const roundWrites = 60;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: JsonObject;
}

async function send(client: HttpClient, method: string, path: string, body?: JsonObject): Promise<Answer> {
  const answer = await client.request({
    method,
    path,
    headers: { "Content-Type": method === "PATCH" ? "application/merge-patch+json" : "application/json" },
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
    signal: new AbortController().signal,
    timeoutMs: 60_000,
  });
  const text = answer.body.toString();
  return { status: answer.status, text, body: text.startsWith("{") && !text.includes("\n{") ? JSON.parse(text) : {} };
}

describe("a kube-apiserver and this server on one etcd", { skip }, () => {
  let peer: PeerServer;
  let server: ControlPlane;
  let clients: readonly HttpClient[];

  before(async () => {
    peer = await startPeerServer(["--endpoint-reconciler-type=none"]);
    server = await startTestServer({
      flags: [
        ...[`--etcd-servers=${peer.etcdUrl}`, "--service-cluster-ip-range=10.0.0.0/24"],
        ...["--controllers=system-namespaces-controller", "--endpoint-reconciler-type=none"],
      ],
    });
    clients = [peer.client, server.client];
    for (const { definition } of sharedKinds) {
      if (definition !== undefined) {
        await send(peer.client, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
      }
    }
    for (const { path } of sharedKinds) {
      for (const client of clients) {
        await until(`${path} is served`, async () => (await send(client, "GET", path)).status === 200);
      }
    }
  });
  after(async () => {
    await server?.stop();
    await peer?.[Symbol.asyncDispose]();
  });

  it("show the same objects and the same events, whoever writes", async () => {
    for (let done = 0; done < writes; done += roundWrites) {
      const starts = await Promise.all(sharedKinds.map(({ path }) => versionOf(clients[0] as HttpClient, path)));
      await Promise.all(
        Array.from({ length: roundWrites }, (_, i) => write(clients, createRandom(seed, done + i), done + i)),
      );
      const events = await Promise.all(sharedKinds.map(({ path }, index) => compare(path, starts[index] as string)));
      assert.ok(
        events.some((text) => text.length > 0),
        "something has changed",
      );
    }
  });

  /** Compares the lists of a resource, and the events since a version, byte for byte. Returns the events. */
  async function compare(path: string, since: string): Promise<string> {
    const [theirs, ours] = await Promise.all(clients.map((client) => send(client, "GET", path)));
    assert.equal(JSON.stringify(listAt(ours?.body, "items")), JSON.stringify(listAt(theirs?.body, "items")), path);
    const watch = `${path}?watch=1&resourceVersion=${since}&timeoutSeconds=1`;
    const [their, our] = await Promise.all(clients.map(async (client) => (await send(client, "GET", watch)).text));
    assert.equal(our, their, `events of ${path} since ${since}`);
    const addresses = listAt(ours?.body, "items").map((item) => textAt(item, "spec", "clusterIP"));
    const given = addresses.filter((address) => address !== "");
    assert.equal(new Set(given).size, given.length, "no address is given twice");
    return our as string;
  }
});

async function versionOf(client: HttpClient, path: string): Promise<string> {
  return textAt((await send(client, "GET", path)).body, "metadata", "resourceVersion");
}

/** Makes one write of an object of a few names through one of the servers. Losing a race is an answer like any other. */
async function write(clients: readonly HttpClient[], random: Random, number: number): Promise<void> {
  const client = random.pick(clients);
  const other = random.pick(clients);
  const { path, make, change } = random.pick(sharedKinds);
  const name = `n${random.below(12)}`;
  const { status, text } = await random.weighted<Promise<Answer>>([
    [4, () => send(client, "POST", path, make(name, number))],
    [3, () => send(client, "PATCH", `${path}/${name}`, change(number))],
    [2, async () => update(client, await send(other, "GET", `${path}/${name}`), `${path}/${name}`, change(number))],
    [1, async () => update(client, await send(other, "GET", `${path}/${name}`), `${path}/${name}`, {})],
    [3, () => send(client, "DELETE", `${path}/${name}`)],
  ]);
  assert.ok([200, 201, 404, 409].includes(status), text);
}

function update(client: HttpClient, read: Answer, path: string, change: JsonObject): Promise<Answer> | Answer {
  const metadata = { ...(read.body["metadata"] as JsonObject), ...(change["metadata"] as JsonObject) };
  return read.status === 200 ? send(client, "PUT", path, { ...read.body, metadata }) : read;
}
