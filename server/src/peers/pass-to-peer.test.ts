import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestContext } from "@gatehouse/apiserver/request";
import { StatusError } from "@gatehouse/envelopes/status";
import { type PassToPeerOptions, passToPeer } from "./pass-to-peer.js";
import type { PeerAddress } from "./peer-endpoints.js";

const addresses: Readonly<Record<string, PeerAddress>> = {
  b: { host: "192.0.2.2", port: 6443 },
  c: { host: "192.0.2.3", port: 6443 },
};

interface Asked {
  readonly servers?: readonly string[];
  readonly info?: object;
  readonly header?: string;
  readonly options?: Partial<PassToPeerOptions>;
}

/** Returns where a request goes: "here", the address of a peer, or the refusal. */
async function wayOf({ servers, info, header, options }: Asked): Promise<string> {
  let way = "nowhere";
  const counted: number[] = [];
  const filter = passToPeer({
    id: "a",
    serving: { of: () => servers && new Set(servers) },
    endpoints: { find: async (id) => addresses[id] },
    isReady: () => true,
    async forward(context, { host }) {
      way = host;
      Object.assign(context.exchange, { status: 200 });
    },
    onForwarded: (code) => counted.push(code),
    onError: () => assert.fail("every address can be read"),
    random: () => 0.99,
    ...options,
  });
  const context = {
    info: { isResourceRequest: true, group: "apps", version: "v2", resource: "deployments", ...info },
    header: (name: string) => (name === "x-kubernetes-peer-proxied" ? header : undefined),
    exchange: { status: 0 },
  };
  try {
    await filter(context as unknown as RequestContext, () => {
      way = "here";
    });
  } catch (error) {
    assert.ok(error instanceof StatusError);
    return `${error.code} ${error.reason}: ${error.message}`;
  }
  assert.deepEqual(counted, way === "here" ? [] : [200]);
  return way;
}

const refusal = "503 ServiceUnavailable: Error getting ip and port info of the remote server while proxying";

test("a request is passed on to one of the servers that serve it", async () => {
  assert.equal(await wayOf({ servers: ["b", "c"] }), "192.0.2.3");
  assert.equal(await wayOf({ servers: ["b", "c"], options: { random: () => 0 } }), "192.0.2.2");
  assert.equal(await wayOf({ servers: ["b"], header: "false" }), "192.0.2.2");
});

test("a request stays here when this server serves it, or nobody says that he does", async () => {
  assert.equal(await wayOf({ servers: ["a", "b"] }), "here");
  assert.equal(await wayOf({}), "here");
  assert.equal(await wayOf({ servers: [] }), "here");
});

test("a request stays here that has been passed on once, or is for no resource, and before this server is ready", async () => {
  assert.equal(await wayOf({ servers: ["b"], header: "true" }), "here");
  assert.equal(await wayOf({ servers: ["b"], info: { isResourceRequest: false } }), "here");
  assert.equal(await wayOf({ servers: ["b"], options: { isReady: () => false } }), "here");
});

test("a request is refused while the address of any of its servers is unknown, as in v1.29", async () => {
  assert.equal(await wayOf({ servers: ["gone"] }), refusal);
  assert.equal(await wayOf({ servers: ["b", "gone"] }), refusal);
});

test("an address that cannot be read is reported, and unknown", async () => {
  const errors: unknown[] = [];
  const find = async (): Promise<never> => {
    throw new Error("the store is away");
  };
  const options = { endpoints: { find }, onError: (error: unknown) => errors.push((error as Error).message) };
  assert.equal(await wayOf({ servers: ["b"], options }), refusal);
  assert.deepEqual(errors, ["the store is away"]);
});
