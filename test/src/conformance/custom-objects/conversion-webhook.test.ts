import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "../../support/start-test-server.js";
import { until } from "../../support/until.js";

const group = "convert.example.com";

interface Converted {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown> | undefined;
  spec: Record<string, unknown>;
}

interface Review {
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: Converted[] };
}

interface Answer {
  uid: string;
  result: { status: string; message?: string };
  convertedObjects: unknown[];
}

interface AnswerBody {
  readonly message: string;
  readonly items: readonly Converted[];
  readonly spec: unknown;
}

/** How the webhook answers: it may spoil what it was about to say. */
type Lie = (answer: Answer) => unknown;

const truth: Lie = (answer) => answer;

function convert(object: Converted, apiVersion: string): Converted {
  const { host, hostname, ...spec } = object.spec;
  const name = hostname ?? host;
  return {
    ...object,
    apiVersion,
    spec: { ...spec, ...(apiVersion.endsWith("v1") ? { host: name } : { hostname: name }) },
  };
}

function first(answer: Answer): Converted {
  return answer.convertedObjects[0] as Converted;
}

const lies: readonly (readonly [string, Lie, RegExp])[] = [
  ["another uid", (answer) => ({ ...answer, uid: "x" }), /failed: expected response\.uid="[-0-9a-f]+", got "x"$/],
  ["a failure", (answer) => ({ ...answer, result: { status: "Failure", message: "cannot do" } }), /failed: cannot do$/],
  [
    "a failure without a word",
    (answer) => ({ ...answer, result: { status: "Failure" } }),
    /failed: response\.result\.status was 'Failure', not 'Success'$/,
  ],
  ["too few objects", (answer) => ({ ...answer, convertedObjects: [] }), /Kind=Site returned 0 objects, expected 1$/],
  [
    "another version",
    (answer) => ({ ...answer, convertedObjects: [{ ...first(answer), apiVersion: `${group}/v9` }] }),
    /returned invalid object at index 0: invalid groupVersion \(expected convert\.example\.com\/v2, received convert\.example\.com\/v9\)$/,
  ],
  [
    "another kind",
    (answer) => ({ ...answer, convertedObjects: [{ ...first(answer), kind: "Pod" }] }),
    /returned invalid object at index 0: invalid kind \(expected Site, received Pod\)$/,
  ],
  [
    "another name",
    (answer) => ({
      ...answer,
      convertedObjects: [{ ...first(answer), metadata: { ...first(answer).metadata, name: "y" } }],
    }),
    /returned invalid object: must have the same name: a != y$/,
  ],
  [
    "another UID",
    (answer) => ({
      ...answer,
      convertedObjects: [{ ...first(answer), metadata: { ...first(answer).metadata, uid: "y" } }],
    }),
    /returned invalid object: must have the same UID: [-0-9a-f]+ != y$/,
  ],
  [
    "labels that are none",
    (answer) => ({
      ...answer,
      convertedObjects: [{ ...first(answer), metadata: { ...first(answer).metadata, labels: { a: 1 } } }],
    }),
    /returned invalid metadata: metadata\.labels\[a\] must be a string, but is int64 in converted object$/,
  ],
  ["nothing", () => undefined, /failed: no response provided$/],
];

describe("Versions of a custom kind that a webhook converts", () => {
  let server: TestServer;
  let webhook: Server;
  let lie: Lie = truth;
  let reviews: Review[] = [];

  const request = async (method: string, path: string, body?: unknown, type = "application/json") => {
    const answer = await server.client.request({
      method,
      path,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { "content-type": type },
      signal: new AbortController().signal,
      timeoutMs: 30_000,
    });
    const text = answer.body.toString();
    return { code: answer.status, body: (text.startsWith("{") ? JSON.parse(text) : {}) as AnswerBody };
  };
  const sites = (version: string, name = ""): string => `/apis/${group}/${version}/namespaces/default/sites${name}`;

  before(async () => {
    server = await startTestServer();
    const { pki } = server;
    webhook = createServer(
      { cert: readFileSync(pki.serverCertFile), key: readFileSync(pki.serverKeyFile) },
      (incoming, outgoing) => {
        let text = "";
        incoming.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        incoming.on("end", () => {
          const review = JSON.parse(text) as Review;
          reviews.push(review);
          const { uid, desiredAPIVersion, objects } = review.request;
          const convertedObjects = objects.map((object) => convert(object, desiredAPIVersion));
          const response = lie({ uid, result: { status: "Success" }, convertedObjects });
          outgoing.setHeader("content-type", "application/json");
          outgoing.end(JSON.stringify({ apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", response }));
        });
      },
    );
    await new Promise<void>((resolve) => webhook.listen(0, "127.0.0.1", resolve));
    const { port } = webhook.address() as AddressInfo;
    const version = (name: string, member: string, storage: boolean) => ({
      name,
      served: true,
      storage,
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: {
            spec: {
              type: "object",
              properties: { [member]: { type: "string" }, port: { type: "integer", default: 80 } },
            },
          },
        },
      },
    });
    const made = await request("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `sites.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural: "sites", singular: "site", kind: "Site", listKind: "SiteList" },
        versions: [version("v1", "host", true), version("v2", "hostname", false)],
        conversion: {
          strategy: "Webhook",
          webhook: {
            conversionReviewVersions: ["v1"],
            clientConfig: {
              url: `https://127.0.0.1:${port}/convert`,
              caBundle: readFileSync(pki.caFile).toString("base64"),
            },
          },
        },
      },
    });
    assert.equal(made.code, 201, made.body.message);
    await until("the definition is served", async () => (await request("GET", sites("v1"))).code === 200);
    const created = await request("POST", sites("v1"), {
      apiVersion: `${group}/v1`,
      kind: "Site",
      metadata: { name: "a" },
      spec: { host: "h" },
    });
    assert.equal(created.code, 201, created.body.message);
  });

  after(async () => {
    webhook?.close();
    webhook?.closeAllConnections();
    await server?.stop();
  });

  it("are read and written through it, one review for a list", async () => {
    assert.deepEqual((await request("GET", sites("v2", "/a"))).body.spec, { hostname: "h", port: 80 });
    for (const name of ["b", "c"]) {
      const { code, body } = await request("POST", sites("v2"), {
        apiVersion: `${group}/v2`,
        kind: "Site",
        metadata: { name },
        spec: { hostname: name },
      });
      assert.equal(code, 201, body.message);
      assert.deepEqual(body.spec, { hostname: name, port: 80 });
      assert.deepEqual((await request("GET", sites("v1", `/${name}`))).body.spec, { host: name, port: 80 });
    }
    await request("PATCH", sites("v1", "/a"), { spec: { port: 81 } }, "application/merge-patch+json");
    await request("PATCH", sites("v1", "/b"), { spec: { port: 82 } }, "application/merge-patch+json");
    reviews = [];
    const { body } = await request("GET", sites("v2"));
    assert.deepEqual(
      body.items.map(({ apiVersion, spec }) => [apiVersion, spec["hostname"], spec["port"]]),
      [
        [`${group}/v2`, "h", 81],
        [`${group}/v2`, "b", 82],
        [`${group}/v2`, "c", 80],
      ],
    );
    assert.equal(reviews.length, 1);
    const patched = await request(
      "PATCH",
      sites("v2", "/a"),
      { spec: { hostname: "new" } },
      "application/merge-patch+json",
    );
    assert.deepEqual(patched.body.spec, { hostname: "new", port: 81 });
    assert.deepEqual((await request("GET", sites("v1", "/a"))).body.spec, { host: "new", port: 81 });
  });

  for (const [what, told, message] of lies) {
    it(`are not believed to be ${what}`, async () => {
      await request(
        "PATCH",
        sites("v1", "/a"),
        { metadata: { annotations: { now: what } } },
        "application/merge-patch+json",
      );
      lie = told;
      try {
        const { code, body } = await request("GET", sites("v2", "/a"));
        assert.equal(code, 500);
        assert.match(body.message, /^conversion webhook for convert\.example\.com\/v1, Kind=Site /);
        assert.match(body.message, message);
        assert.equal((await request("GET", sites("v1", "/a"))).code, 200);
      } finally {
        lie = truth;
      }
      assert.equal((await request("GET", sites("v2", "/a"))).code, 200);
    });
  }

  it("leave everything else alone when the webhook is gone", async () => {
    await request(
      "PATCH",
      sites("v1", "/a"),
      { metadata: { annotations: { now: "gone" } } },
      "application/merge-patch+json",
    );
    webhook.close();
    webhook.closeAllConnections();
    const { code, body } = await request("GET", sites("v2", "/a"));
    assert.equal(code, 500);
    assert.match(
      body.message,
      /^conversion webhook for convert\.example\.com\/v1, Kind=Site failed: Post "https:.*connection refused$/,
    );
    assert.equal((await request("GET", sites("v1", "/a"))).code, 200);
    assert.equal((await request("DELETE", sites("v1", "/a"))).code, 200);
  });
});
