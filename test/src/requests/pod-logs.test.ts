// Answers asked of v1.29.
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { freshNamespace } from "../spec/support/fixtures.js";
import { serverWith } from "../spec/support/shared-server.js";

const parsingTime = (text: string, problem: string) => `parsing time "${text}"${problem}`;

const refused: readonly [query: string, code: number, message: string][] = [
  ["two/log", 400, "a container name must be specified for pod two, choose one of: [i c d]"],
  ["two/log?container=x", 400, "container x is not valid for pod two"],
  ["free/log?container=x", 400, "container x is not valid for pod free"],
  ["missing/log", 404, 'pods "missing" not found'],
  ["lost/log", 404, 'pods "no-such-node" not found'],
  ["lost/log?sinceSeconds=x&tailLines=y", 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ["lost/log?sinceSeconds=", 400, 'strconv.ParseInt: parsing "": invalid syntax'],
  [
    "lost/log?tailLines=99999999999999999999",
    400,
    'strconv.ParseInt: parsing "99999999999999999999": value out of range',
  ],
  ["lost/log?sinceTime=bad", 400, parsingTime("bad", ' as "2006-01-02T15:04:05Z07:00": cannot parse "bad" as "2006"')],
  ["lost/log?sinceTime=2020-13-01T00:00:00Z", 400, parsingTime("2020-13-01T00:00:00Z", ": month out of range")],
  [
    "missing/log?tailLines=-1",
    422,
    'PodLogOptions "missing" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    "lost/log?tailLines=-1&limitBytes=0&sinceSeconds=0",
    422,
    'PodLogOptions "lost" is invalid: [tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0, sinceSeconds: Invalid value: 0: must be greater than 0]',
  ],
  [
    "lost/log?sinceSeconds=0&sinceTime=2020-01-01T00:00:00Z",
    422,
    'PodLogOptions "lost" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
  ],
  ["silent/log", 500, "no preferred addresses found; known addresses: []"],
];

describe("GET of the log of a pod", { concurrency: true }, () => {
  let client: ApiClient;
  let pods: string;

  before(async () => {
    client = await serverWith();
    pods = `/api/v1/namespaces/${await freshNamespace(client)}/pods`;
    const container = (name: string) => ({ name, image: "i" });
    const node = { metadata: { name: "log-node" } };
    const addresses = [{ type: "InternalIP", address: "127.0.0.1" }];
    assertCode(await client.post("/api/v1/nodes", node), 201);
    assertCode(await client.post("/api/v1/nodes", { metadata: { name: "silent-node" } }), 201);
    assertCode(
      await client.patch("/api/v1/nodes/log-node/status", "application/merge-patch+json", { status: { addresses } }),
      200,
    );
    const single = { containers: [container("c")] };
    const two = { initContainers: [container("i")], containers: [container("c"), container("d")] };
    for (const [name, spec] of [
      ["free", single],
      ["lost", { ...single, nodeName: "no-such-node" }],
      ["silent", { ...single, nodeName: "silent-node" }],
      ["two", { ...two, nodeName: "log-node" }],
    ] as const) {
      assertCode(await client.post(pods, { metadata: { name }, spec }), 201);
    }
  });

  it("is empty while no node has the pod", async () => {
    const answer = await client.get(`${pods}/free/log?follow=true`);
    assert.deepEqual([answer.status, answer.text], [204, ""]);
  });

  for (const [query, code, message] of refused) {
    it(`${query} answers ${code} with the reason`, async () => {
      const { status, document } = await client.get(`${pods}/${query}`);
      assert.deepEqual([status, document["message"]], [code, message]);
    });
  }

  it("is listed in discovery as a subresource that can be read", async () => {
    const { resources } = (await client.get("/api/v1")).document as unknown as { resources: { name: string }[] };
    assert.deepEqual(
      resources.find(({ name }) => name === "pods/log"),
      { name: "pods/log", singularName: "", namespaced: true, kind: "Pod", verbs: ["get"] },
    );
  });
});
