import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { get as httpGet } from "node:http";
import { after, before, suite, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { exampleApi } from "../discovery/example-api.test.support.js";
import { type ServedRoutes, serveRoutes } from "../discovery/serve-routes.test.support.js";
import type { ServedApi } from "../discovery/served-api.js";
import { openapiRoutes } from "./openapi-routes.js";
import { OpenApiSource } from "./openapi-source.js";

interface Node {
  readonly [key: string]: Node;
}

const hashOf = (bytes: string): string => createHash("sha512").update(bytes).digest("hex").toUpperCase();
const now = Date.UTC(2024, 0, 1);

suite("OpenAPI", () => {
  let served: ServedRoutes;
  before(async () => {
    const source = new OpenApiSource({ info: { title: "Kubernetes", version: "v1.29.10" }, now: () => now });
    served = await serveRoutes(openapiRoutes(() => exampleApi, { source, now: () => now }));
  });
  after(() => served[Symbol.asyncDispose]());

  const json = async (path: string): Promise<Node> => (await (await served.get(path)).json()) as Node;

  test("the index names the documents with their hashes", async () => {
    const response = await served.get("/openapi/v3");
    // As v1.29: its HTTP library takes what comes without a type for text.
    assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(response.headers.get("etag"), null);
    const body = await response.text();
    const { paths } = JSON.parse(body) as { paths: Record<string, { serverRelativeURL: string }> };
    assert.deepEqual(Object.keys(paths), [
      ".well-known/openid-configuration",
      "api",
      "api/v1",
      "apis",
      "apis/authentication.k8s.io",
      "apis/authentication.k8s.io/v1",
      "apis/authentication.k8s.io/v1beta1",
      "apis/stable.example.com/v1",
      "openid/v1/jwks",
      "version",
    ]);
    for (const [id, { serverRelativeURL }] of Object.entries(paths)) {
      const document = await (await served.get(`/openapi/v3/${id}`)).text();
      assert.equal(serverRelativeURL, `/openapi/v3/${id}?hash=${hashOf(document)}`);
    }
  });

  test("a document asked for by its hash lasts for ever; by another hash, the client is sent to the right one", async () => {
    const plain = await served.get("/openapi/v3/version");
    assert.equal(plain.headers.get("cache-control"), "no-cache, private");
    assert.equal(plain.headers.get("expires"), null);
    const hash = hashOf(await plain.text());
    const lasting = await served.get(`/openapi/v3/version?hash=${hash}`);
    assert.equal(lasting.status, 200);
    assert.equal(lasting.headers.get("cache-control"), "public, immutable");
    assert.equal(lasting.headers.get("expires"), "Tue, 31 Dec 2024 00:00:00 GMT");
    assert.equal(lasting.headers.get("last-modified"), "Mon, 01 Jan 2024 00:00:00 GMT");
    assert.match(plain.headers.get("vary") ?? "", /^Accept(?:, |$)/);
    assert.equal(lasting.headers.get("etag"), `"${hash}"`);
    const moved = await served.get("/openapi/v3/version?hash=0");
    assert.equal(moved.status, 301);
    assert.equal(moved.headers.get("location"), `/openapi/v3/version?hash=${hash}`);
    assert.equal(moved.headers.get("etag"), `"${hash}"`);
    assert.equal(moved.headers.get("vary"), "Accept");
    assert.equal(moved.headers.get("content-type"), "application/json");
    assert.equal(await moved.text(), "");
  });

  test("a small document is exactly this", async () => {
    assert.deepEqual(await json("/openapi/v3/version"), {
      openapi: "3.0.0",
      info: { title: "Kubernetes", version: "v1.29.10" },
      paths: {
        "/version/": {
          get: {
            tags: ["version"],
            description: "get the version information for this server",
            operationId: "getCodeVersion",
            responses: {
              "200": {
                description: "OK",
                content: {
                  "application/json": {
                    schema: { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.version.Info" },
                  },
                },
              },
              "401": { description: "Unauthorized" },
            },
          },
        },
      },
      components: {
        schemas: {
          "io.k8s.apimachinery.pkg.version.Info": await versionSchema(),
        },
        securitySchemes: {
          BearerToken: {
            description: "Bearer Token authentication",
            type: "apiKey",
            name: "authorization",
            in: "header",
          },
        },
      },
    });
  });

  /** Descriptions are not for this test to know. */
  async function versionSchema(): Promise<unknown> {
    const schemas = (await json("/openapi/v3/version"))["components"]?.["schemas"];
    const info = schemas?.["io.k8s.apimachinery.pkg.version.Info"];
    const members = [
      "major",
      "minor",
      "gitVersion",
      "gitCommit",
      "gitTreeState",
      "buildDate",
      "goVersion",
      "compiler",
      "platform",
    ];
    assert.deepEqual(info?.["required"], members);
    assert.deepEqual(Object.keys(info?.["properties"] ?? {}), [...members].sort());
    assert.equal(info?.["properties"]?.["major"]?.["default"], "");
    return info;
  }

  test("a document without definitions has none, as those of the issuer of tokens", async () => {
    const document = await json("/openapi/v3/openid/v1/jwks");
    assert.deepEqual(Object.keys(document["components"] as object), ["securitySchemes"]);
    const { description: _, ...operation } = (document["paths"]?.["/openid/v1/jwks/"]?.["get"] ?? {}) as Node;
    assert.deepEqual(operation, {
      tags: ["openid"],
      operationId: "getServiceAccountIssuerOpenIDKeyset",
      responses: {
        "200": { description: "OK", content: { "application/jwk-set+json": { schema: { type: "string" } } } },
        "401": { description: "Unauthorized" },
      },
    });
    const swagger = (await json("/openapi/v2"))["paths"]?.["/.well-known/openid-configuration/"]?.["get"];
    const { description: __, ...old } = (swagger ?? {}) as Node;
    assert.deepEqual(old, {
      produces: ["application/json"],
      schemes: ["https"],
      tags: ["WellKnown"],
      operationId: "getServiceAccountIssuerOpenIDConfiguration",
      responses: {
        "200": { description: "OK", schema: { type: "string" } },
        "401": { description: "Unauthorized" },
      },
    });
  });

  test("a patch operation says which kind it is for and takes fieldValidation, which is what kubectl looks for", async () => {
    const document = await json("/openapi/v3/api/v1");
    const patch = document["paths"]?.["/api/v1/namespaces/{namespace}/pods/{name}"]?.["patch"] as unknown as {
      parameters: { name: string; in: string }[];
      "x-kubernetes-group-version-kind": unknown;
      requestBody: { content: object };
    };
    assert.deepEqual(patch["x-kubernetes-group-version-kind"], { group: "", version: "v1", kind: "Pod" });
    assert.ok(patch.parameters.some((parameter) => parameter.name === "fieldValidation" && parameter.in === "query"));
    assert.deepEqual(Object.keys(patch.requestBody.content), [
      "application/json-patch+json",
      "application/merge-patch+json",
      "application/strategic-merge-patch+json",
      "application/apply-patch+yaml",
    ]);
  });

  for (const path of ["/openapi/v2", "/openapi/v3/api/v1", "/openapi/v3/apis/stable.example.com/v1"]) {
    test(`every reference in ${path} leads somewhere`, async () => {
      const text = await (await served.get(path)).text();
      const document = JSON.parse(text) as Node;
      const definitions = document["definitions"] ?? document["components"]?.["schemas"] ?? {};
      for (const [, name = ""] of text.matchAll(/"\$ref":"#\/(?:definitions|components\/schemas)\/([^"]+)"/g)) {
        assert.ok(Object.hasOwn(definitions, name), name);
      }
    });
  }

  test("a custom kind keeps its schema in version 3", async () => {
    const document = await json("/openapi/v3/apis/stable.example.com/v1");
    const cronTab = document["components"]?.["schemas"]?.["com.example.stable.v1.CronTab"];
    assert.equal(cronTab?.["properties"]?.["spec"]?.["properties"]?.["cron"]?.["default"], "* * * * *");
    assert.equal(cronTab?.["properties"]?.["spec"]?.["properties"]?.["note"]?.["nullable"], true);
    assert.deepEqual(Object.keys(cronTab?.["properties"] ?? {}), ["spec", "apiVersion", "kind", "metadata"]);
    assert.deepEqual(cronTab?.["x-kubernetes-group-version-kind"], [
      { group: "stable.example.com", version: "v1", kind: "CronTab" },
    ]);
    assert.ok(document["components"]?.["schemas"]?.["com.example.stable.v1.CronTabList"]);
  });

  test("of a group of custom kinds only the kinds are told about, not the paths that discover them", async () => {
    const atRoots = (paths: object): readonly string[] =>
      Object.keys(paths).filter((path) => path.startsWith("/apis/stable.example.com/") && path.endsWith("/"));
    assert.deepEqual(atRoots((await json("/openapi/v2"))["paths"] ?? {}), []);
    assert.deepEqual(atRoots((await json("/openapi/v3/apis/stable.example.com/v1"))["paths"] ?? {}), []);
    assert.deepEqual(
      Object.keys((await json("/openapi/v3"))["paths"] ?? {}).filter((id) => id.startsWith("apis/stable.example.com")),
      ["apis/stable.example.com/v1"],
    );
  });

  test("operations on custom kinds are told about in their own way", async () => {
    const { paths } = await json("/openapi/v3/apis/stable.example.com/v1");
    const path = "/apis/stable.example.com/v1/namespaces/{namespace}/crontabs";
    const { get: list, delete: deletion } = paths?.[path] ?? {};
    assert.deepEqual(deletion?.["parameters"], list?.["parameters"]);
    assert.equal(deletion?.["requestBody"], undefined);
    const { get, put, patch } = paths?.[`${path}/{name}`] ?? {};
    assert.equal(get?.["parameters"]?.["0"]?.["name"], "resourceVersion");
    assert.equal(get?.["parameters"]?.["1"], undefined);
    assert.deepEqual(Object.keys(put?.["requestBody"]?.["content"] ?? {}), ["application/json", "application/yaml"]);
    assert.deepEqual(Object.keys(patch?.["responses"] ?? {}), ["200", "401"]);
  });

  test("a custom kind says only what Swagger can say in version 2", async () => {
    const cronTab = (await json("/openapi/v2"))["definitions"]?.["com.example.stable.v1.CronTab"];
    assert.deepEqual(cronTab?.["properties"]?.["spec"], {
      type: "object",
      required: ["cron"],
      properties: {
        cron: { type: "string", pattern: "^\\S+$" },
        note: {},
        port: { "x-kubernetes-int-or-string": true },
        any: { "x-kubernetes-preserve-unknown-fields": true },
        labels: { type: "object", additionalProperties: {} },
      },
    });
  });

  test("encodings are chosen by Accept, the old names of protobuf included", async () => {
    const typeOf = async (path: string, accept: string): Promise<unknown> => {
      const response = await served.get(path, { Accept: accept });
      return response.status === 200 ? response.headers.get("content-type") : response.status;
    };
    const v2 = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    const v3 = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
    assert.equal(await typeOf("/openapi/v2", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"), v2);
    assert.equal(await typeOf("/openapi/v2", v2), v2);
    assert.equal(await typeOf("/openapi/v2", "application/*"), "application/json");
    assert.equal(await typeOf("/openapi/v2", "text/html"), 406);
    assert.equal(await typeOf("/openapi/v3/api/v1", v3), v3);
    assert.equal(await typeOf("/openapi/v3/api/v1", "application/com.github.proto-openapi.spec.v3@v1.0+protobuf"), v3);
    assert.equal(await typeOf("/openapi/v3/api/v1", "application/yaml, application/json;q=0.5"), "application/json");
  });

  test("both encodings of a document have one ETag", async () => {
    const asJson = await served.get("/openapi/v2");
    const etag = asJson.headers.get("etag") ?? "";
    assert.equal(etag, `"${hashOf(await asJson.text())}"`);
    const protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    assert.equal((await served.get("/openapi/v2", { Accept: protobuf })).headers.get("etag"), etag);
    assert.equal((await served.get("/openapi/v2", { Accept: protobuf, "If-None-Match": etag })).status, 304);
  });

  test("what is large is compressed for those who take it", async () => {
    const plain = await raw(`${served.url}/openapi/v2`, {});
    assert.equal(plain.headers["content-encoding"], undefined);
    const compressed = await raw(`${served.url}/openapi/v2`, { "Accept-Encoding": "gzip" });
    assert.equal(compressed.headers["content-encoding"], "gzip");
    assert.equal(compressed.headers["vary"], "Accept-Encoding, Accept");
    assert.equal(plain.headers["vary"], "Accept-Encoding, Accept");
    const openapi3 = await raw(`${served.url}/openapi/v3/api/v1`, { "Accept-Encoding": "gzip" });
    assert.equal(openapi3.headers["content-encoding"], "gzip");
    assert.equal(openapi3.headers["vary"], "Accept, Accept-Encoding");
    assert.deepEqual(gunzipSync(compressed.body), plain.body);
  });

  test("of other documents there is nothing to say but that they are not there", async () => {
    for (const path of ["/openapi/v3/apis/metrics.example.com/v1", "/openapi/v3/", "/openapi/v3/x"]) {
      const response = await served.get(path);
      assert.deepEqual(
        [response.status, response.headers.get("content-type"), await response.text()],
        [404, null, ""],
        path,
      );
    }
    assert.equal(await (await served.get("/openapi/v1")).text(), "404 page not found\n");
  });

  test("the method does not matter", async () => {
    const response = await fetch(`${served.url}/openapi/v3/version`, { method: "POST" });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), await (await served.get("/openapi/v3/version")).text());
  });
});

suite("OpenAPI of an API that changes", () => {
  const without = { ...exampleApi, groups: exampleApi.groups.filter(({ name }) => name !== "stable.example.com") };

  test("documents follow what is served, and so do their hashes", async () => {
    let api: ServedApi = without;
    await using served = await serveRoutes(openapiRoutes(() => api));
    const hashes = async (): Promise<Record<string, string>> => {
      const { paths } = JSON.parse(await (await served.get("/openapi/v3")).text());
      return Object.fromEntries(
        Object.entries<{ serverRelativeURL: string }>(paths).map(([id, { serverRelativeURL }]) => [
          id,
          serverRelativeURL,
        ]),
      );
    };
    const swagger = async (): Promise<{ etag: string | null; definitions: object }> => {
      const response = await served.get("/openapi/v2");
      const { definitions } = (await response.json()) as { definitions: object };
      return { etag: response.headers.get("etag"), definitions };
    };
    const before = { hashes: await hashes(), swagger: await swagger() };
    assert.equal((await served.get("/openapi/v3/apis/stable.example.com/v1")).status, 404);
    api = exampleApi;
    const after = { hashes: await hashes(), swagger: await swagger() };
    const { "apis/stable.example.com/v1": version, ...others } = after.hashes;
    assert.notEqual(version, undefined);
    assert.deepEqual(others, before.hashes);
    assert.notEqual(after.swagger.etag, before.swagger.etag);
    assert.ok("com.example.stable.v1.CronTab" in after.swagger.definitions);
    api = { ...without };
    assert.equal((await served.get("/openapi/v3/apis/stable.example.com/v1")).status, 404);
    assert.equal((await swagger()).etag, before.swagger.etag);
  });
});

interface RawResponse {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** `fetch` decompresses by itself. */
function raw(url: string, headers: Record<string, string>): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    httpGet(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    }).on("error", reject);
  });
}
