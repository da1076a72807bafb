import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { schemaRegistry } from "@gatehouse/envelopes/schema";
import { builtinApi } from "@gatehouse/server/kinds";
import { pods, tokenReviews } from "../../discovery/example-api.test.support.js";
import type { DiscoveredResource } from "../../discovery/served-api.js";
import type { ApiPath } from "./api-path.js";
import { resourcePaths } from "./resource-paths.js";

function pathsOf(group: string, version: string, resource: DiscoveredResource): readonly ApiPath[] {
  return resourcePaths({
    group,
    version,
    resource,
    kindSchema: (kind) => schemaRegistry().kindSchema(kind.group, kind.version, kind.kind)?.schema,
  });
}

suite("OpenAPI paths", () => {
  test("a resource has a path for each way to it, with the operation ids that generated clients know", () => {
    const ids = pathsOf("", "v1", pods).map((path) => [
      path.path,
      ...path.operations.map((operation) => `${operation.method} ${operation.operationId} ${operation.action}`),
    ]);
    assert.deepEqual(ids, [
      [
        "/api/v1/namespaces/{namespace}/pods",
        "get listCoreV1NamespacedPod list",
        "post createCoreV1NamespacedPod post",
        "delete deleteCoreV1CollectionNamespacedPod deletecollection",
      ],
      [
        "/api/v1/namespaces/{namespace}/pods/{name}",
        "get readCoreV1NamespacedPod get",
        "put replaceCoreV1NamespacedPod put",
        "patch patchCoreV1NamespacedPod patch",
        "delete deleteCoreV1NamespacedPod delete",
      ],
      ["/api/v1/namespaces/{namespace}/pods/{name}/eviction", "post createCoreV1NamespacedPodEviction post"],
      [
        "/api/v1/namespaces/{namespace}/pods/{name}/exec",
        "post connectCoreV1PostNamespacedPodExec connect",
        "get connectCoreV1GetNamespacedPodExec connect",
      ],
      ["/api/v1/namespaces/{namespace}/pods/{name}/log", "get readCoreV1NamespacedPodLog get"],
      [
        "/api/v1/namespaces/{namespace}/pods/{name}/status",
        "get readCoreV1NamespacedPodStatus get",
        "put replaceCoreV1NamespacedPodStatus put",
        "patch patchCoreV1NamespacedPodStatus patch",
      ],
      ["/api/v1/pods", "get listCoreV1PodForAllNamespaces list"],
      ["/api/v1/watch/namespaces/{namespace}/pods", "get watchCoreV1NamespacedPodList watchlist"],
      ["/api/v1/watch/namespaces/{namespace}/pods/{name}", "get watchCoreV1NamespacedPod watch"],
      ["/api/v1/watch/pods", "get watchCoreV1PodListForAllNamespaces watchlist"],
    ]);
  });

  test("operations on the scale of a custom kind are those of this kind, unlike what they read and write", () => {
    const scale = { group: "autoscaling", version: "v1", kind: "Scale" };
    const resource: DiscoveredResource = {
      ...{ resource: "crontabs", singular: "crontab", kind: "CronTab", namespaced: true, verbs: [], shortNames: [] },
      ...{ categories: [], storageVersionHash: "", openAPIV3Schema: () => ({ type: "object" }) },
      subresources: [{ name: "scale", kind: scale, verbs: ["get", "patch", "update"] }],
    };
    const operations = pathsOf("stable.example.com", "v1", resource).flatMap((path) => path.operations);
    assert.deepEqual(
      operations.map(({ method, kind, responses }) => [method, kind?.kind, responses[0]?.type]),
      ["get", "put", "patch"].map((method) => [method, "CronTab", scale]),
    );
  });

  test("options stand in the query without times, and lists among them have the type of their items", () => {
    const typesOf = (subresource: string, kind: string): readonly string[] => {
      const { resources } = builtinApi().groups.find(({ name }) => name === "")?.versions[0] ?? { resources: [] };
      const builtinPods = resources.find((resource) => resource.resource === "pods");
      assert.ok(builtinPods, kind);
      const path = pathsOf("", "v1", builtinPods).find(({ path: text }) =>
        text.endsWith(`/pods/{name}/${subresource}`),
      );
      const options = [...(path?.parameters ?? []), ...(path?.operations[0]?.parameters ?? [])];
      return options.filter((parameter) => parameter.in === "query").map(({ name, type }) => `${name} ${type}`);
    };
    assert.deepEqual(typesOf("log", "PodLogOptions"), [
      "container string",
      "follow boolean",
      "insecureSkipTLSVerifyBackend boolean",
      "limitBytes integer",
      "pretty string",
      "previous boolean",
      "sinceSeconds integer",
      "tailLines integer",
      "timestamps boolean",
    ]);
    assert.deepEqual(typesOf("portforward", "PodPortForwardOptions"), ["ports integer"]);
  });

  test("parameters that all operations share stand at the path", () => {
    const [create] = pathsOf("authentication.k8s.io", "v1", tokenReviews);
    assert.deepEqual(
      create?.parameters.map((parameter) => parameter.name),
      ["dryRun", "fieldManager", "fieldValidation", "pretty"],
    );
    assert.deepEqual(create?.operations[0]?.parameters, []);
    const [, one] = pathsOf("", "v1", pods);
    assert.deepEqual(
      one?.parameters.map((parameter) => parameter.name),
      ["name", "namespace", "pretty"],
    );
    const patch = one?.operations.find((operation) => operation.method === "patch");
    assert.deepEqual(
      patch?.parameters.map((parameter) => parameter.name),
      ["dryRun", "fieldManager", "fieldValidation", "force"],
    );
  });

  test("the options of a connection are its query parameters", () => {
    const exec = pathsOf("", "v1", pods).find((path) => path.path.endsWith("/exec"));
    assert.deepEqual(
      exec?.parameters.map((parameter) => `${parameter.in} ${parameter.name} ${parameter.type}`),
      [
        "query command string",
        "query container string",
        "path name string",
        "path namespace string",
        "query stderr boolean",
        "query stdin boolean",
        "query stdout boolean",
        "query tty boolean",
      ],
    );
  });

  test("DELETE answers with what the resource returns", () => {
    const typeOf = (resource: DiscoveredResource): unknown =>
      pathsOf("", "v1", resource)[1]?.operations.find((operation) => operation.method === "delete")?.responses[0]?.type;
    assert.deepEqual(typeOf(pods), { group: "", version: "v1", kind: "Pod" });
    assert.deepEqual(typeOf({ ...pods, returnsDeletedObject: false }), { group: "", version: "v1", kind: "Status" });
  });

  test("every path and every operation id of the built-in API is there once", () => {
    const paths = builtinApi().groups.flatMap((group) =>
      group.versions.flatMap((served) =>
        served.resources.flatMap((resource) => pathsOf(group.name, served.version, resource)),
      ),
    );
    const names = paths.map((path) => path.path);
    assert.equal(new Set(names).size, names.length);
    const ids = paths.flatMap((path) => path.operations.map((operation) => operation.operationId));
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.includes("connectCoreV1HeadNodeProxyWithPath"));
    assert.ok(ids.includes("createCoreV1NamespacedServiceAccountToken"));
    assert.ok(ids.includes("patchRbacAuthorizationV1ClusterRole"));
    assert.ok(ids.includes("replaceAppsV1NamespacedDeploymentScale"));
    assert.ok(ids.includes("replaceCoreV1NamespaceFinalize"));
    assert.ok(ids.includes("listFlowcontrolApiserverV1FlowSchema"));
  });
});
