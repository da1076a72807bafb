import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseFeatureGates, parseRuntimeConfig } from "@gatehouse/apiserver/options";
import { selectDefinitions } from "@gatehouse/apiserver/registry";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { builtinResources } from "../kinds/builtin-resources.js";
import { type StoredResource, storedResources } from "./stored-resources.js";

type Versions = Pick<StoredResource, "encodingVersion" | "decodableVersions" | "servedVersions">;

/**
 * Holds what kube-apiserver v1.29.0 registers: with the flags that StorageVersions need, and what is there besides with
 * all versions and alpha features. The order of its served versions is that of a Go map; here it is alphabetical.
 */
const recorded = JSON.parse(
  readFileSync(new URL("../../src/storage-versions/recorded-versions.json", import.meta.url), "utf8"),
) as Readonly<Record<"all" | "default", Readonly<Record<string, Versions>>>>;

function registered(runtimeConfig: Readonly<Record<string, string>>, gates: string): Record<string, Versions> {
  const definitions = selectDefinitions(builtinResources, {
    runtimeConfig: parseRuntimeConfig(
      new Map(Object.entries(runtimeConfig)),
      new Map([["internal.apiserver.k8s.io", ["v1alpha1"]]]),
    ).config,
    featureGates: parseFeatureGates(gates).gates,
  });
  const resources = storedResources(definitions, { mediaType: mediaTypes.protobuf, isShared: true });
  return Object.fromEntries(
    resources.map(({ name, encodingVersion, decodableVersions, servedVersions }) => [
      name,
      { encodingVersion, decodableVersions, servedVersions: [...servedVersions].sort() },
    ]),
  );
}

test("built-in resources are registered with the versions of v1.29, in its order", () => {
  assert.deepEqual(registered({ "internal.apiserver.k8s.io/v1alpha1": "true" }, ""), recorded.default);
});

test("with all versions and alpha features, all that v1.29 registers then is registered", () => {
  assert.deepEqual(registered({ "api/all": "true" }, "AllAlpha=true"), { ...recorded.default, ...recorded.all });
});

test("a store of this server alone holds JSON in the versions of the definitions, and that is what is registered", () => {
  const alone = storedResources(builtinResources, { mediaType: mediaTypes.json, isShared: false });
  const encodingOf = (wanted: string): string | undefined => alone.find(({ name }) => name === wanted)?.encodingVersion;
  assert.equal(encodingOf("discovery.k8s.io.endpointslices"), "discovery.k8s.io/v1");
  assert.equal(encodingOf("apiextensions.k8s.io.customresourcedefinitions"), "apiextensions.k8s.io/v1");
  assert.equal(encodingOf("autoscaling.horizontalpodautoscalers"), "autoscaling/v2");
});

test("events are stored once for both groups that serve them", () => {
  const events = storedResources(builtinResources, { mediaType: mediaTypes.json, isShared: false }).filter(({ name }) =>
    name.endsWith(".events"),
  );
  assert.deepEqual(
    events.map(({ name, servedAs }) => ({ name, servedAs })),
    [
      {
        name: "core.events",
        servedAs: [
          { group: "", resource: "events" },
          { group: "events.k8s.io", resource: "events" },
        ],
      },
    ],
  );
});
