import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type RequestInfo, resolveRequestInfo } from "./request-info.js";

function resolve(method: string, url: string): RequestInfo {
  const [path = "", query = ""] = url.split("?");
  return resolveRequestInfo(method, path, new URLSearchParams(query));
}

function summary({ verb, apiPrefix, group, version, namespace, resource, subresource, name }: RequestInfo): string {
  return `${verb} ${[apiPrefix, group, version, namespace, resource, subresource, name].join("|")}`;
}

describe("resolveRequestInfo", () => {
  const resourceRequests: readonly [string, string, string][] = [
    ["GET", "/api/v1/pods", "list api||v1||pods||"],
    ["GET", "/api/v1/pods/", "list api||v1||pods||"],
    ["HEAD", "/api/v1/pods", "list api||v1||pods||"],
    ["GET", "/api/v1/pods?watch", "watch api||v1||pods||"],
    ["GET", "/api/v1/pods?watch=False", "list api||v1||pods||"],
    ["GET", "/api/v1/pods?watch=0", "list api||v1||pods||"],
    ["GET", "/api/v1/namespaces/a/pods/b?watch=1", "get api||v1|a|pods||b"],
    ["GET", "/api/v1/namespaces/a", "get api||v1|a|namespaces||a"],
    ["PUT", "/api/v1/namespaces/a/finalize", "update api||v1|a|namespaces|finalize|a"],
    ["GET", "/api/v1/namespaces/a/status", "get api||v1|a|namespaces|status|a"],
    ["DELETE", "/api/v1/namespaces/a/pods", "deletecollection api||v1|a|pods||"],
    ["GET", "/api/v1/watch/namespaces/a/pods/b", "watch api||v1|a|pods||b"],
    ["POST", "/api/v1/watch/pods", "watch api||v1||pods||"],
    ["PATCH", "/apis/apps/v1/namespaces/a/deployments/b/scale", "patch apis|apps|v1|a|deployments|scale|b"],
    ["OPTIONS", "/api/v1/pods", " api||v1||pods||"],
    ["constructor", "/api/v1/pods", " api||v1||pods||"],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Db", "list api||v1||pods||b"],
    ["GET", "/api/v1/pods?fieldSelector=a%3D1,metadata.name%3D%3Db", "list api||v1||pods||b"],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name!%3Db", "list api||v1||pods||"],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3D..", "list api||v1||pods||"],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Da/b", "list api||v1||pods||"],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Db,metadata.name%3Da", "list api||v1||pods||a"],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Db&limit=1&labelSelector=a", "list api||v1||pods||b"],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Db&limit=x", "list api||v1||pods||"],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Db&limit=", "list api||v1||pods||"],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Db&timeoutSeconds=1.5&watch=1", "watch api||v1||pods||"],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Db&labelSelector=!!", "list api||v1||pods||"],
    ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Db,x", "list api||v1||pods||"],
    ["POST", "/api/v1/proxy/nodes/a/x", "proxy api||v1||nodes||a"],
  ];
  for (const [method, url, expected] of resourceRequests) {
    test(`${method} ${url} is a resource request`, () => {
      const info = resolve(method, url);
      assert.equal(info.isResourceRequest, true);
      assert.equal(summary(info), expected);
    });
  }

  test("selectors that are long are not read for the name that they demand: nobody knows yet who is asking", () => {
    const nameFor = (labels: number) =>
      resolve("GET", `/api/v1/pods?fieldSelector=metadata.name%3Db&labelSelector=${"a,".repeat(labels)}a`).name;
    assert.equal(nameFor(8_000), "b");
    assert.equal(nameFor(9_000), "");
  });

  for (const path of ["/", "/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1", "/healthz", "/other/v1/pods"]) {
    test(`GET ${path} is no resource request`, () => {
      const info = resolve("GET", path);
      assert.equal(info.isResourceRequest, false);
      assert.equal(info.verb, "get");
      assert.equal(info.path, path);
    });
  }
});
