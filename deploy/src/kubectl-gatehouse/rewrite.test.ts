import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { HttpCaller, JsonRequest, JsonResponse } from "@gatehouse/component-base/http-client";
import { type RewriteOptions, rewriteResource } from "./rewrite.js";
import { RewritePosition } from "./rewrite-position.js";
import { resourcesToRewrite } from "./rewrite-resources.js";

const folder = await mkdtemp(join(tmpdir(), "rewrite-"));
after(() => rm(folder, { recursive: true }));

const secrets = { name: "secrets", path: "/api/v1/secrets", isNamespaced: true };
type Answer = { readonly status: number; readonly body?: unknown };

/** A server whose answers a test makes; requests are kept. */
function serverOf(answerTo: (request: JsonRequest) => Answer) {
  const requests: JsonRequest[] = [];
  const client: HttpCaller = {
    request: () => Promise.reject(new TypeError("not used")),
    async requestJson(request) {
      requests.push(request);
      return { headers: {}, body: undefined, ...answerTo(request) } as JsonResponse;
    },
  };
  return { client, requests };
}

const item = (name: string): object => ({ metadata: { namespace: "ns", name, resourceVersion: "1" } });
const written = (resourceVersion: string): Answer => ({ status: 200, body: { metadata: { resourceVersion } } });

async function optionsFor(
  client: HttpCaller,
  file?: string,
): Promise<RewriteOptions & { readonly failures: string[] }> {
  const failures: string[] = [];
  return {
    client,
    position: await RewritePosition.read(file),
    concurrency: 1,
    signal: new AbortController().signal,
    onTotal() {},
    onDone() {},
    onFailure: (_resource, key, reason) => failures.push(`${key}: ${reason}`),
    failures,
  };
}

test("objects are listed as metadata, page by page, and patched with nothing", async () => {
  const { client, requests } = serverOf(({ method, path = "" }) => {
    if (method === "PATCH") {
      return written(path.endsWith("/b") ? "1" : "2");
    }
    return path.includes("continue=more")
      ? { status: 200, body: { items: [item("c")], metadata: {} } }
      : { status: 200, body: { items: [item("a"), item("b")], metadata: { continue: "more", remainingItemCount: 1 } } };
  });
  const summary = await rewriteResource(secrets, await optionsFor(client));
  assert.deepEqual(summary, { rewritten: 2, current: 1, gone: 0, failed: 0 });
  const patches = requests.filter(({ method }) => method === "PATCH");
  assert.deepEqual(
    patches.map(({ path }) => path),
    ["a", "b", "c"].map((name) => `/api/v1/namespaces/ns/secrets/${name}`),
  );
  assert.ok(patches.every(({ body }) => JSON.stringify(body) === "{}"));
  assert.ok(requests.every(({ headers }) => /as=PartialObjectMetadata/.test(headers?.["accept"] ?? "")));
});

test("a conflict is tried again, a deleted object is no failure, and a refused one is told", async () => {
  let conflicts = 0;
  const { client } = serverOf(({ method, path = "" }) => {
    if (method !== "PATCH") {
      return { status: 200, body: { items: ["a", "b", "c"].map(item) } };
    }
    if (path.endsWith("/a")) {
      return conflicts++ === 0 ? { status: 409, body: { message: "conflict" } } : written("2");
    }
    return path.endsWith("/b") ? { status: 404 } : { status: 422, body: { message: "c is invalid" } };
  });
  const options = await optionsFor(client);
  assert.deepEqual(await rewriteResource(secrets, options), { rewritten: 1, current: 0, gone: 1, failed: 1 });
  assert.deepEqual(options.failures, ["ns/c: c is invalid"]);
});

test("a list that has expired begins anew, without the objects that are done", async () => {
  let lists = 0;
  const { client, requests } = serverOf(({ method }) => {
    if (method === "PATCH") {
      return written("2");
    }
    lists++;
    if (lists === 2) {
      return { status: 410, body: { message: "expired" } };
    }
    return lists === 1
      ? { status: 200, body: { items: [item("a")], metadata: { continue: "more" } } }
      : { status: 200, body: { items: [item("a"), item("b")] } };
  });
  assert.equal((await rewriteResource(secrets, await optionsFor(client))).rewritten, 2);
  assert.equal(requests.filter(({ method }) => method === "PATCH").length, 2);
});

test("a rewrite that was interrupted goes on behind the last page that was done", async () => {
  const file = join(folder, "position.json");
  const interrupted = serverOf(({ method, path = "" }) => {
    if (method === "PATCH") {
      return written("2");
    }
    return path.includes("continue")
      ? { status: 500, body: { message: "the server stops" } }
      : { status: 200, body: { items: [item("a"), item("b")], metadata: { continue: "more" } } };
  });
  await assert.rejects(rewriteResource(secrets, await optionsFor(interrupted.client, file)), {
    message: "secrets cannot be listed: the server stops",
  });
  assert.deepEqual(JSON.parse(await readFile(file, "utf8")), { secrets: "ns/b" });
  const again = serverOf(({ method }) =>
    method === "PATCH" ? written("2") : { status: 200, body: { items: ["a", "b", "c"].map(item) } },
  );
  const options = await optionsFor(again.client, file);
  assert.deepEqual(await rewriteResource(secrets, options), { rewritten: 1, current: 0, gone: 0, failed: 0 });
  assert.ok((await RewritePosition.read(file)).isWholeDone("secrets"));
});

test("a file that holds no position is refused", async () => {
  const file = join(folder, "other.json");
  await writeFile(file, "[1]");
  await assert.rejects(RewritePosition.read(file), { message: `${file} does not hold the position of a rewrite` });
});

const discovery = (name: string, ...resources: readonly string[]): object => ({
  metadata: { name },
  versions: [
    {
      version: "v1",
      resources: resources.map((resource) => ({
        resource,
        scope: resource === "namespaces" ? "Cluster" : "Namespaced",
        verbs: resource === "bindings" ? ["create"] : ["list", "patch"],
      })),
    },
  ],
});
const { client: served } = serverOf(({ path }) => ({
  status: 200,
  body: {
    items:
      path === "/api"
        ? [discovery("", "secrets", "namespaces", "events", "bindings")]
        : [discovery("apps", "deployments"), discovery("events.k8s.io", "events")],
  },
}));

for (const [patterns, expected] of [
  ["secrets", ["/api/v1/secrets"]],
  ["deployments.apps,secrets", ["/api/v1/secrets", "/apis/apps/v1/deployments"]],
  ["*.", ["/api/v1/secrets", "/api/v1/namespaces", "/api/v1/events"]],
  ["*.apps", ["/apis/apps/v1/deployments"]],
  ["*.*", ["/api/v1/secrets", "/api/v1/namespaces", "/api/v1/events", "/apis/apps/v1/deployments"]],
] as const) {
  test(`${patterns} stands for the resources that a configuration of encryption means by it`, async () => {
    const resources = await resourcesToRewrite(served, patterns.split(","));
    assert.deepEqual(
      resources.map(({ path }) => path),
      expected,
    );
  });
}

test("a name that stands for no resource is told", async () => {
  await assert.rejects(resourcesToRewrite(served, ["bindings"]), {
    message: 'the server has no resource "bindings" that can be listed and patched',
  });
});
