import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertStatus } from "../spec/support/assert-status.js";
import { http2Request } from "../spec/support/http2-request.js";
import { serverWith, specServerWith } from "../spec/support/shared-server.js";

const notFound = {
  code: 404,
  reason: "NotFound",
  message: "the server could not find the requested resource",
  details: {},
};
const notAllowed = {
  code: 405,
  reason: "MethodNotAllowed",
  message: "the server does not allow this method on the requested resource",
  details: {},
};

describe("Odd paths and methods", { concurrency: true }, () => {
  for (const [method, path, status] of [
    ["GET", "/api/v1/namespaces/default/configmaps/kube-root-ca.crt//data", notFound],
    ["GET", "/api/v1//configmaps", notFound],
    ["GET", "/api/v1/proxy/namespaces/default/services/kubernetes", notFound],
    ["GET", "/api/v1/namespaces/default/services/kubernetes/nothing", notFound],
    ["GET", "/api/v1/configmaps/kube-root-ca.crt", notFound],
    ["GET", "/api/v1/namespaces/default/nodes", notFound],
    ["GET", "/api/v2/pods", notFound],
    ["GET", "/apis/apps/v9/deployments", notFound],
    ["GET", "/apis/apps/v9", notFound],
    ["GET", "/api/v1/bindings", notFound],
    ["PATCH", "/api/v1/namespaces/default/bindings/x", notFound],
    ["POST", "/apis/authorization.k8s.io/v1/localsubjectaccessreviews", notFound],
    ["GET", "/apis/authentication.k8s.io/v1/tokenreviews/x", notFound],
    ["GET", "/api/v1/namespaces/default/bindings", notAllowed],
    ["DELETE", "/apis/authentication.k8s.io/v1/tokenreviews", notAllowed],
    ["GET", "/api/v1/watch/namespaces/default/pods/x/log", notFound],
    ["DELETE", "/api/v1/watch/namespaces/default/pods/x/status", notFound],
    ["POST", "/api/v1", notAllowed],
    ["POST", "/version", notAllowed],
    ["POST", "/api/v1/watch/namespaces", notAllowed],
    ["DELETE", "/api/v1/watch/namespaces", notAllowed],
    ["OPTIONS", "/api/v1/namespaces", notAllowed],
    ["POST", "/api/v1/configmaps", notAllowed],
    ["DELETE", "/api/v1/configmaps", notAllowed],
    ["PUT", "/api/v1/namespaces", notAllowed],
    ["POST", "/api/v1/namespaces/default", notAllowed],
  ] as const) {
    it(`${method} ${path} is answered with ${status.code}`, async () => {
      assertStatus(await (await serverWith()).request(method, path), status);
    });
  }

  for (const path of ["//api/v1/namespaces", "/apis//v1/namespaces", "/apis/nothing/v1/deployments", "/livez/"]) {
    it(`GET ${path} leads nowhere`, async () => {
      const answer = await (await serverWith()).get(path);
      assert.equal(answer.text, "404 page not found\n");
      assert.equal(answer.status, 404);
      assert.equal(answer.headers["content-type"], "text/plain; charset=utf-8");
    });
  }

  it("the list of paths names what is there, the single health checks among it", async () => {
    const client = await serverWith();
    const { paths } = (await client.get("/")).document as unknown as { paths: readonly string[] };
    for (const path of [
      "/apis/apps",
      "/livez/etcd",
      "/readyz/etcd-readiness",
      "/healthz/ping",
      "/metrics",
      "/version",
    ]) {
      assert.ok(paths.includes(path), path);
    }
    for (const path of paths) {
      assert.equal((await client.get(path)).status === 404, path === "/openapi/v3/", path);
    }
  });

  it("HEAD is not allowed on resources, and fine on health checks", async () => {
    const client = await serverWith();
    assert.equal((await client.request("HEAD", "/api/v1/namespaces")).status, 405);
    assert.equal((await client.request("HEAD", "/api/v1/namespaces/default")).status, 405);
    assert.equal((await client.request("HEAD", "/livez")).status, 200);
  });

  it("a trailing slash makes no difference, and neither does an encoded letter", async () => {
    const client = await serverWith();
    assert.equal((await client.get("/api/v1/namespaces/")).document.kind, "NamespaceList");
    assert.equal((await client.get("/api/v1/n%61mespaces/default/")).document.kind, "Namespace");
  });

  it("methods that HTTP/2 clients make up are not allowed, and do not become series of metrics", async () => {
    const { server, client } = await specServerWith();
    for (const method of ["constructor", "toString", "__proto__", "MADEUP1", "MADEUP2"]) {
      const answer = await http2Request(server.clientConfig, { ":method": method, ":path": "/api/v1/namespaces" });
      assert.equal(answer.status, 405, `${method}: ${answer.text}`);
      await http2Request(server.clientConfig, { ":method": method, ":path": "/livez" });
    }
    await client.get("/api/v1/namespaces/default/configmaps/a/madeup3");
    await client.get("/api/v1/madeup4");
    const { text } = await client.get("/metrics");
    assert.doesNotMatch(text, /madeup|constructor|toString|__proto__/i);
    assert.match(text, /apiserver_request_total\{verb="other",[^}]*subresource="\/livez",/);
  });

  it("health endpoints are counted under their paths, as in v1.29", async () => {
    const client = await serverWith();
    await client.get("/livez");
    const { text } = await client.get("/metrics");
    assert.match(
      text,
      /^apiserver_request_total\{verb="GET",dry_run="",group="",version="",resource="",subresource="\/livez",scope="",component="",code="200"\} \d/m,
    );
  });
});
