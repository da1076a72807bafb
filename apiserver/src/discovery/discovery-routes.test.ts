import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { decodeProtobuf, unwrapEnvelope } from "@gatehouse/envelopes/codec";
import { messageSchema } from "@gatehouse/envelopes/schema";
import { parse } from "yaml";
import { discoveryDocuments } from "./discovery-documents.js";
import { discoveryRoutes } from "./discovery-routes.js";
import { exampleApi } from "./example-api.test.support.js";
import { type ServedRoutes, serveRoutes } from "./serve-routes.test.support.js";
import type { ServedGroupVersion } from "./served-api.js";
import type { VersionInfo } from "./version-info.js";

const version: VersionInfo = {
  major: "1",
  minor: "29",
  gitVersion: "v1.29.10+test",
  gitCommit: "c0ffee",
  gitTreeState: "clean",
  buildDate: "2024-01-01T00:00:00Z",
  goVersion: "node20",
  compiler: "tsc",
  platform: "linux/amd64",
};

const everything = '["create","delete","deletecollection","get","list","patch","update","watch"]';
const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

/** Exact answers, as Go would write them. */
const documents: Readonly<Record<string, string>> = {
  "/api":
    '{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0","serverAddress":"10.0.0.1:6443"}]}',
  "/apis":
    '{"kind":"APIGroupList","apiVersion":"v1","groups":[' +
    '{"name":"authentication.k8s.io","versions":[{"groupVersion":"authentication.k8s.io/v1","version":"v1"},{"groupVersion":"authentication.k8s.io/v1beta1","version":"v1beta1"}],"preferredVersion":{"groupVersion":"authentication.k8s.io/v1","version":"v1"}},' +
    '{"name":"stable.example.com","versions":[{"groupVersion":"stable.example.com/v1","version":"v1"}],"preferredVersion":{"groupVersion":"stable.example.com/v1","version":"v1"}},' +
    '{"name":"metrics.example.com","versions":[{"groupVersion":"metrics.example.com/v1","version":"v1"}],"preferredVersion":{"groupVersion":"metrics.example.com/v1","version":"v1"}}]}',
  "/apis/stable.example.com":
    '{"kind":"APIGroup","apiVersion":"v1","name":"stable.example.com","versions":[{"groupVersion":"stable.example.com/v1","version":"v1"}],"preferredVersion":{"groupVersion":"stable.example.com/v1","version":"v1"}}',
  "/api/v1":
    '{"kind":"APIResourceList","groupVersion":"v1","resources":[' +
    `{"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":${everything},"shortNames":["po"],"categories":["all"],"storageVersionHash":"xPOwRZ+Yhw8="},` +
    '{"name":"pods/eviction","singularName":"","namespaced":true,"group":"policy","version":"v1","kind":"Eviction","verbs":["create"]},' +
    '{"name":"pods/exec","singularName":"","namespaced":true,"kind":"PodExecOptions","verbs":["create","get"]},' +
    '{"name":"pods/log","singularName":"","namespaced":true,"kind":"Pod","verbs":["get"]},' +
    '{"name":"pods/status","singularName":"","namespaced":true,"kind":"Pod","verbs":["get","patch","update"]}]}',
  "/apis/authentication.k8s.io/v1":
    '{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"authentication.k8s.io/v1","resources":[{"name":"tokenreviews","singularName":"tokenreview","namespaced":false,"kind":"TokenReview","verbs":["create"]}]}',
  "/apis/authentication.k8s.io/v1beta1":
    '{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"authentication.k8s.io/v1beta1","resources":[]}',
};

const aggregated: Readonly<Record<string, string>> = {
  "/api":
    '{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2beta1","metadata":{},"items":[' +
    '{"metadata":{"creationTimestamp":null},"versions":[{"version":"v1","resources":[' +
    `{"resource":"pods","responseKind":{"group":"","version":"","kind":"Pod"},"scope":"Namespaced","singularResource":"pod","verbs":${everything},"shortNames":["po"],"categories":["all"],"subresources":[` +
    '{"subresource":"eviction","responseKind":{"group":"policy","version":"v1","kind":"Eviction"},"verbs":["create"]},' +
    '{"subresource":"exec","responseKind":{"group":"","version":"","kind":"PodExecOptions"},"verbs":["create","get"]},' +
    '{"subresource":"log","responseKind":{"group":"","version":"","kind":"Pod"},"verbs":["get"]},' +
    '{"subresource":"status","responseKind":{"group":"","version":"","kind":"Pod"},"verbs":["get","patch","update"]}]}],"freshness":"Current"}]}]}',
  "/apis":
    '{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2beta1","metadata":{},"items":[' +
    '{"metadata":{"name":"authentication.k8s.io","creationTimestamp":null},"versions":[{"version":"v1","resources":[{"resource":"tokenreviews","responseKind":{"group":"","version":"","kind":"TokenReview"},"scope":"Cluster","singularResource":"tokenreview","verbs":["create"]}],"freshness":"Current"},{"version":"v1beta1","freshness":"Current"}]},' +
    `{"metadata":{"name":"stable.example.com","creationTimestamp":null},"versions":[{"version":"v1","resources":[{"resource":"crontabs","responseKind":{"group":"stable.example.com","version":"v1","kind":"CronTab"},"scope":"Namespaced","singularResource":"crontab","verbs":${everything}}],"freshness":"Current"}]},` +
    '{"metadata":{"name":"metrics.example.com","creationTimestamp":null},"versions":[{"version":"v1","freshness":"Stale"}]}]}',
};

suite("discovery", () => {
  let served: ServedRoutes;
  before(async () => {
    served = await serveRoutes(discoveryRoutes(() => exampleApi, { version, otherPaths: ["/healthz"] }));
  });
  after(() => served[Symbol.asyncDispose]());

  for (const [path, expected] of Object.entries(documents)) {
    test(`GET ${path} answers with exactly what kube-apiserver would write`, async () => {
      const response = await served.get(path);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), "application/json");
      assert.equal(response.headers.get("cache-control"), "no-cache, private");
      assert.equal(await response.text(), `${expected}\n`);
    });

    test(`GET ${path}/ is the same`, async () => {
      assert.equal(await (await served.get(`${path}/`)).text(), `${expected}\n`);
    });

    test(`GET ${path} answers in protobuf and in YAML, too`, async () => {
      const object = JSON.parse(expected);
      const protobuf = await served.get(path, { Accept: "application/vnd.kubernetes.protobuf" });
      const { apiVersion, kind, raw } = unwrapEnvelope(Buffer.from(await protobuf.arrayBuffer()));
      assert.deepEqual([apiVersion, kind], [object.apiVersion ?? "", object.kind]);
      const schema = messageSchema(`k8s.io.apimachinery.pkg.apis.meta.v1.${kind}`);
      const { kind: _kind, apiVersion: _apiVersion, ...members } = object;
      assert.deepEqual(JSON.parse(JSON.stringify(decodeProtobuf(schema, raw))), withoutEmptyLists(members));
      assert.deepEqual(parse(await (await served.get(path, { Accept: "application/yaml" })).text()), object);
    });
  }

  for (const [path, expected] of Object.entries(aggregated)) {
    test(`GET ${path} answers with all resources at once when asked to`, async () => {
      const response = await served.get(path, {
        Accept: `application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,${aggregatedType},application/json`,
      });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), aggregatedType);
      assert.equal(response.headers.get("cache-control"), "public");
      assert.equal(response.headers.get("vary"), "Accept");
      assert.match(response.headers.get("etag") ?? "", /^"[0-9A-F]{128}"$/);
      assert.equal(await response.text(), `${expected}\n`);
    });

    test(`GET ${path} answers 304 to whoever has all resources already`, async () => {
      const etag = (await served.get(path, { Accept: aggregatedType })).headers.get("etag") ?? "";
      const response = await served.get(path, { Accept: aggregatedType, "If-None-Match": etag });
      assert.equal(response.status, 304);
      assert.equal(response.headers.get("etag"), etag);
      assert.equal(await response.text(), "");
      const other = await served.get(path, { Accept: aggregatedType, "If-None-Match": '"other"' });
      assert.equal(other.status, 200);
      // The short document has no ETag.
      assert.equal((await served.get(path, { "If-None-Match": etag })).status, 200);
    });
  }

  test("all resources at once come in protobuf, too", async () => {
    const type = "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
    const response = await served.get("/api", { Accept: type });
    assert.equal(response.headers.get("content-type"), type);
    const { apiVersion, kind, raw } = unwrapEnvelope(Buffer.from(await response.arrayBuffer()));
    assert.deepEqual([apiVersion, kind], ["apidiscovery.k8s.io/v2beta1", "APIGroupDiscoveryList"]);
    const decoded = decodeProtobuf(messageSchema("k8s.io.api.apidiscovery.v2beta1.APIGroupDiscoveryList"), raw);
    const { items } = JSON.parse(JSON.stringify(decoded));
    assert.equal(items[0].versions[0].resources[0].subresources[0].responseKind.kind, "Eviction");
  });

  test("a client that asks for all resources behind plain JSON gets them", async () => {
    const response = await served.get("/apis", { Accept: `application/json,${aggregatedType}` });
    assert.equal(response.headers.get("content-type"), aggregatedType);
  });

  test("with a slash behind it, the list of groups is all there is", async () => {
    const answer = await served.get("/apis/", { Accept: `${aggregatedType},application/json` });
    assert.equal(answer.headers.get("content-type"), "application/json");
    assert.equal((await served.get("/apis/", { Accept: aggregatedType })).status, 406);
  });

  test("who sends something of a type that nobody reads is refused where v1.29 has a route", async () => {
    const refused = await served.get("/api/v1", { "Content-Type": "text/plain" });
    assert.equal(refused.status, 406);
    assert.match(await refused.text(), /"message":"406: Not Acceptable\\n\\nAvailable representations: "/);
    assert.equal((await served.get("/api/v1", { "Content-Type": "application/yaml" })).status, 200);
    assert.equal((await served.get("/apis", { "Content-Type": "text/plain" })).status, 200);
  });

  test("a version of aggregated discovery that is not known gives the short document", async () => {
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    assert.equal(await (await served.get("/api", { Accept: accept })).text(), `${documents["/api"]}\n`);
  });

  test("the resources of another server's group version are not answered here", async () => {
    assert.equal((await served.get("/apis/metrics.example.com/v1")).status, 404);
    assert.equal((await served.get("/apis/metrics.example.com")).status, 200);
  });

  test("below what is built in, a Status says that something is not there; elsewhere, plain text", async () => {
    for (const path of ["/apis/authentication.k8s.io/v2", "/api/v2", "/version/x"]) {
      const response = await served.get(path);
      const { reason, message, details } = (await response.json()) as Record<string, unknown>;
      assert.deepEqual([response.status, reason, details], [404, "NotFound", {}], path);
      assert.equal(message, "the server could not find the requested resource", path);
    }
    for (const path of ["/apis/nothing", "/apis/stable.example.com/v2", "/apis/metrics.example.com/v2", "/nothing"]) {
      const response = await served.get(path);
      assert.deepEqual([response.status, await response.text()], [404, "404 page not found\n"], path);
    }
  });

  test("a media type that cannot be written is not acceptable", async () => {
    const response = await served.get("/apis", { Accept: "text/html" });
    assert.equal(response.status, 406);
    const { reason, message } = (await response.json()) as { reason: string; message: string };
    assert.equal(reason, "NotAcceptable");
    assert.equal(
      message,
      "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    );
  });

  test("people get indented JSON without a line end", async () => {
    const text = await (await served.get("/api", { "User-Agent": "curl/8" })).text();
    assert.equal(text, JSON.stringify(JSON.parse(documents["/api"] as string), undefined, 2));
  });

  test("/version is indented for everybody", async () => {
    const response = await served.get("/version");
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal(await response.text(), JSON.stringify(version, undefined, 2));
  });

  test("/ lists every path", async () => {
    const { paths } = (await (await served.get("/")).json()) as { paths: string[] };
    assert.deepEqual(paths, [
      "/api",
      "/api/v1",
      "/apis",
      "/apis/",
      "/apis/authentication.k8s.io",
      "/apis/authentication.k8s.io/v1",
      "/apis/authentication.k8s.io/v1beta1",
      "/apis/metrics.example.com",
      "/apis/metrics.example.com/v1",
      "/apis/stable.example.com",
      "/apis/stable.example.com/v1",
      "/healthz",
      "/openapi/v2",
      "/openapi/v3",
      "/openapi/v3/",
      "/version",
    ]);
  });

  test("where v1.29 has a route, it takes nothing but GET", async () => {
    for (const [method, path] of [
      ["POST", "/api"],
      ["DELETE", "/api/v1"],
      ["PUT", "/apis/authentication.k8s.io/v1"],
      ["POST", "/version"],
    ] as const) {
      const response = await fetch(served.url + path, { method });
      const { reason, message } = (await response.json()) as Record<string, unknown>;
      assert.deepEqual([response.status, reason], [405, "MethodNotAllowed"], path);
      assert.equal(message, "the server does not allow this method on the requested resource");
      assert.equal(response.headers.get("allow"), null);
    }
    assert.equal((await fetch(`${served.url}/api/v1`, { method: "HEAD" })).status, 405);
  });

  test("the resources of a custom group are answered to any method", async () => {
    for (const method of ["POST", "DELETE", "OPTIONS"]) {
      const response = await fetch(`${served.url}/apis/stable.example.com/v1`, { method });
      assert.equal(response.status, 200, method);
      assert.equal(((await response.json()) as { readonly kind: string }).kind, "APIResourceList");
    }
  });

  test("the lists of groups and paths are answered to any method", async () => {
    for (const path of ["/apis", "/apis/stable.example.com", "/"]) {
      assert.equal((await fetch(served.url + path, { method: "POST" })).status, 200, path);
    }
  });

  test("a route says in its own words which media types it has", async () => {
    for (const [path, accept, types] of [
      ["/version", "application/yaml", "application/json"],
      ["/api/v1", "application/*", "application/json, application/yaml, application/vnd.kubernetes.protobuf"],
    ] as const) {
      const response = await served.get(path, { Accept: accept });
      const { code, reason, message, details } = parse(await response.text());
      assert.deepEqual([response.status, code, reason, details], [406, 406, "NotAcceptable", {}]);
      assert.equal(message, `406: Not Acceptable\n\nAvailable representations: ${types}`);
    }
    assert.equal((await served.get("/version", { Accept: "text/html, */*" })).status, 200);
  });
});

suite("discovery of an API that changes", () => {
  test("what changed is told anew, and what did not change is not written again", async () => {
    let api = exampleApi;
    await using served = await serveRoutes(discoveryRoutes(() => api, { version, otherPaths: [] }));
    const get = async (path: string, accept = "application/json"): Promise<string> =>
      (await served.get(path, { Accept: accept })).text();
    const etagOf = async (): Promise<string | null> =>
      (await served.get("/apis", { Accept: aggregatedType })).headers.get("etag");
    const before = { core: await get("/api/v1"), etag: await etagOf() };
    const without = exampleApi.groups.filter(({ name }) => name !== "stable.example.com");
    api = { ...exampleApi, groups: without };
    assert.equal((await served.get("/apis/stable.example.com")).status, 404);
    assert.equal((await served.get("/apis/stable.example.com/v1")).status, 404);
    assert.doesNotMatch(await get("/apis"), /stable/);
    assert.doesNotMatch(await get("/apis", aggregatedType), /stable/);
    assert.doesNotMatch(await get("/"), /stable/);
    assert.equal(await get("/api/v1"), before.core);
    assert.notEqual(await etagOf(), before.etag);
    api = { ...exampleApi };
    assert.equal(await etagOf(), before.etag);
  });

  test("without aggregated discovery, the plain documents are sent to those who take them, and others get 406", async () => {
    const options = { version, otherPaths: [], isAggregated: false };
    await using plain = await serveRoutes(discoveryRoutes(() => exampleApi, options));
    for (const path of ["/api", "/apis"]) {
      const answer = await plain.get(path, { Accept: `${aggregatedType},application/json` });
      assert.deepEqual([answer.status, await answer.text()], [200, `${documents[path]}\n`]);
      assert.equal((await plain.get(path, { Accept: aggregatedType })).status, 406);
    }
  });

  test("a group version that is part of the next API keeps its bytes", () => {
    const documents = discoveryDocuments();
    const [core] = exampleApi.groups;
    assert.ok(core?.versions[0]);
    const next = { ...exampleApi, groups: [{ ...core, versions: [...core.versions] }] };
    assert.equal(
      documents.resources(core.versions[0]).body("json"),
      documents.resources(next.groups[0]?.versions[0] as ServedGroupVersion).body("json"),
    );
    assert.notEqual(documents.groups(exampleApi), documents.groups(next));
  });
});

/** Returns an object without empty lists, which protobuf cannot tell from absent ones. */
function withoutEmptyLists(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, Array.isArray(value) && value.length === 0 ? null : value]),
  );
}
