import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";
import { defineSites } from "./ask-through-lie.js";
import { group, type LyingWebhook, startLyingWebhook } from "./lying-webhook.js";

interface Site {
  readonly apiVersion: string;
  readonly metadata: { readonly resourceVersion: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

describe("Versions of a custom kind that a webhook converts", () => {
  let server: ControlPlane;
  let client: ApiClient;
  let webhook: LyingWebhook;

  const sites = (version: string, name = ""): string => `/apis/${group}/${version}/namespaces/default/sites${name}`;
  const request = async (method: string, path: string, body?: unknown) => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const answer = await client.request(method, path, {
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": type } }),
    });
    return { code: answer.status, body: answer.document as unknown as { message: string; items: Site[] } & Site };
  };

  before(async () => {
    server = await startTestServer();
    client = createApiClient(server.clientConfig);
    const { caFile, serverCertFile, serverKeyFile } = server.certificates;
    webhook = await startLyingWebhook({ cert: readFileSync(serverCertFile), key: readFileSync(serverKeyFile) });
    await defineSites(client, webhook, readFileSync(caFile, "utf8"));
    const spec = { host: "h" };
    const made = { apiVersion: `${group}/v1`, kind: "Site", metadata: { name: "a" }, spec };
    assert.equal((await request("POST", sites("v1"), made)).code, 201);
  });

  after(async () => {
    client?.[Symbol.dispose]();
    await webhook?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  it("are read and written through it, one review for a list", async () => {
    assert.deepEqual((await request("GET", sites("v2", "/a"))).body.spec, { hostname: "h", port: 80 });
    for (const name of ["b", "c"]) {
      const site = { apiVersion: `${group}/v2`, kind: "Site", metadata: { name }, spec: { hostname: name } };
      const { code, body } = await request("POST", sites("v2"), site);
      assert.equal(code, 201, body.message);
      assert.deepEqual(body.spec, { hostname: name, port: 80 });
      assert.deepEqual((await request("GET", sites("v1", `/${name}`))).body.spec, { host: name, port: 80 });
    }
    await request("PATCH", sites("v1", "/a"), { spec: { port: 81 } });
    await request("PATCH", sites("v1", "/b"), { spec: { port: 82 } });
    let reviews = 0;
    const versions: unknown[] = [];
    webhook.tell((answer) => {
      reviews++;
      const { convertedObjects } = answer["response"] as unknown as { convertedObjects: { metadata: object }[] };
      versions.push(...convertedObjects.map(({ metadata }) => "resourceVersion" in metadata));
      return { body: JSON.stringify(answer) };
    });
    const { body } = await request("GET", sites("v2"));
    assert.deepEqual(
      body.items.map(({ apiVersion, spec }) => [apiVersion, spec["hostname"], spec["port"]]),
      [
        [`${group}/v2`, "h", 81],
        [`${group}/v2`, "b", 82],
        [`${group}/v2`, "c", 80],
      ],
    );
    assert.equal(reviews, 1);
    // It is no part of what is stored.
    assert.deepEqual(versions, [false, false]);
    assert.ok(body.items.every(({ metadata }) => /^\d+$/.test(metadata.resourceVersion)));
    const patched = await request("PATCH", sites("v2", "/a"), { spec: { hostname: "new" } });
    assert.deepEqual(patched.body.spec, { hostname: "new", port: 81 });
    assert.deepEqual((await request("GET", sites("v1", "/a"))).body.spec, { host: "new", port: 81 });
  });

  it("leave everything else alone when the webhook is gone", async () => {
    await request("PATCH", sites("v1", "/a"), { metadata: { annotations: { now: "gone" } } });
    await webhook[Symbol.asyncDispose]();
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
