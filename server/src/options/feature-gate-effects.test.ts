import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseFeatureGates, parseRuntimeConfig } from "@gatehouse/apiserver/options";
import { type FeatureName, type FeatureSpec, knownFeatures } from "@gatehouse/envelopes/features";
import { gateEffectOf, gatesWithoutKinds } from "./feature-gate-effects.js";
import { registeredVersions } from "./registered-versions.js";

describe("The table of feature gates", () => {
  it("has an effect for every gate that can be changed, and for no other", () => {
    const specs = Object.entries<FeatureSpec>(knownFeatures) as [FeatureName, FeatureSpec][];
    const withEffect = specs.filter(([name]) => gateEffectOf(name) !== undefined).map(([name]) => name);
    const changeable = specs.filter(([, { locked }]) => !locked).map(([name]) => name);
    assert.deepEqual(withEffect, changeable);
  });

  it("refuses gates whose kinds are not served, and says how they are", () => {
    const gatesWith = (settings: readonly [string, string][]) => {
      const { config } = parseRuntimeConfig(new Map(settings), registeredVersions);
      return parseFeatureGates("MultiCIDRServiceAllocator=true", gatesWithoutKinds(config));
    };
    const needed = "it needs ipaddresses and servicecidrs; give --runtime-config=networking.k8s.io/v1alpha1=true";
    assert.deepEqual(gatesWith([]).problems, [`feature gate MultiCIDRServiceAllocator is not supported: ${needed}`]);
    assert.deepEqual(gatesWith([["networking.k8s.io/v1alpha1/ipaddresses", "true"]]).problems.length, 1);
    const { gates, problems } = gatesWith([["networking.k8s.io/v1alpha1", "true"]]);
    assert.deepEqual(problems, []);
    assert.equal(gates.enabled("MultiCIDRServiceAllocator"), true);
  });

  it("leaves gates whose kinds are not served off when all of their stage are turned on, and says so", () => {
    const { config } = parseRuntimeConfig(new Map(), registeredVersions);
    const lacking = gatesWithoutKinds(config);
    assert.deepEqual([...lacking.keys()], ["MultiCIDRServiceAllocator"]);
    const { gates, problems, warnings } = parseFeatureGates("AllAlpha=true", lacking);
    assert.deepEqual(problems, []);
    assert.equal(gates.enabled("WatchList"), true);
    assert.equal(gates.enabled("MultiCIDRServiceAllocator"), false);
    assert.ok(warnings.some((warning) => warning.startsWith("Feature gate MultiCIDRServiceAllocator stays off: ")));
  });
});
