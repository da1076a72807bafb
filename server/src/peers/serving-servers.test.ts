import assert from "node:assert/strict";
import { test } from "node:test";
import { ServingServers } from "./serving-servers.js";

const storageVersion = (servers: Readonly<Record<string, readonly string[]>>) => ({
  status: {
    storageVersions: Object.entries(servers).map(([apiServerID, servedVersions]) => ({
      apiServerID,
      servedVersions: [...servedVersions],
    })),
  },
});

test("servers are found by what they serve, in the core group and in others", () => {
  const serving = new ServingServers();
  serving.present("", "core.pods", storageVersion({ a: ["v1"], b: ["v1"] }));
  serving.present(
    "",
    "autoscaling.horizontalpodautoscalers",
    storageVersion({ a: ["autoscaling/v1", "autoscaling/v2"], b: ["autoscaling/v2"] }),
  );
  const of = (group: string, version: string, resource: string) => {
    const servers = serving.of({ group, version, resource });
    return servers && [...servers];
  };
  assert.deepEqual(of("", "v1", "pods"), ["a", "b"]);
  assert.deepEqual(of("autoscaling", "v1", "horizontalpodautoscalers"), ["a"]);
  assert.deepEqual(of("autoscaling", "v2", "horizontalpodautoscalers"), ["a", "b"]);
  assert.equal(of("autoscaling", "v3", "horizontalpodautoscalers"), undefined);
  assert.equal(of("", "v1", "secrets"), undefined);
  assert.equal(of("events.k8s.io", "v1", "events"), undefined);
});

test("servers are forgotten that are no longer named, and with their StorageVersion", () => {
  const serving = new ServingServers();
  const resource = { group: "apps", version: "v1", resource: "deployments" };
  serving.present("", "apps.deployments", storageVersion({ a: ["apps/v1"], b: ["apps/v1"] }));
  serving.present("", "apps.deployments", storageVersion({ b: ["apps/v1"] }));
  assert.deepEqual([...(serving.of(resource) ?? [])], ["b"]);
  serving.gone("", "apps.deployments");
  assert.equal(serving.of(resource), undefined);
});
