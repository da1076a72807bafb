import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseFeatureGates } from "@gatehouse/apiserver/options";
import { type FeatureName, type FeatureSpec, knownFeatures } from "@gatehouse/envelopes/features";
import { gateEffectOf, unsupportedGates } from "./feature-gate-effects.js";

describe("The table of feature gates", () => {
  it("has an effect for every gate that can be changed, and for no other", () => {
    const specs = Object.entries<FeatureSpec>(knownFeatures) as [FeatureName, FeatureSpec][];
    const withEffect = specs.filter(([name]) => gateEffectOf(name) !== undefined).map(([name]) => name);
    const changeable = specs.filter(([, { locked }]) => !locked).map(([name]) => name);
    assert.deepEqual(withEffect, changeable);
  });

  it("refuses gates whose feature is missing by their name", () => {
    assert.deepEqual(parseFeatureGates("MultiCIDRServiceAllocator=true", unsupportedGates).problems, [
      "feature gate MultiCIDRServiceAllocator is not supported: addresses of Services are kept in one RangeAllocation; there are no IPAddress objects for them",
    ]);
    assert.deepEqual(parseFeatureGates("MultiCIDRServiceAllocator=false", unsupportedGates).problems, []);
  });

  it("leaves gates whose feature is missing off when all of their stage are turned on, and says so", () => {
    const { gates, problems, warnings } = parseFeatureGates("AllAlpha=true", unsupportedGates);
    assert.deepEqual(problems, []);
    assert.equal(gates.enabled("WatchList"), true);
    for (const name of unsupportedGates.keys()) {
      assert.equal(gates.enabled(name), false);
      assert.ok(warnings.some((warning) => warning.startsWith(`Feature gate ${name} stays off: `)));
    }
  });
});
