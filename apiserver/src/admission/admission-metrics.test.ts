import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import { AdmissionChain } from "./admission-chain.js";
import { admissionMetrics } from "./admission-metrics.js";
import type { AdmissionPlugin } from "./admission-plugin.js";
import { testAttributes } from "./testing/test-write.js";

test("plugins and phases are counted by operation and outcome, and only what has happened is shown", async () => {
  const registry = createMetricsRegistry({ processMetrics: false });
  const refusing: AdmissionPlugin = {
    name: "Refuses",
    admit: () => {},
    validate: () => {
      throw new Error("no");
    },
  };
  const chain = new AdmissionChain([refusing], admissionMetrics(registry));
  for (let i = 0; i < 2; i++) {
    const attributes = testAttributes({ object: {} });
    await chain.mutate(attributes);
    assert.throws(() => void chain.validate(attributes), /no/);
  }
  const counts = (await registry.render()).split("\n").filter((line) => /^apiserver_admission_\w+_count\{/.test(line));
  assert.deepEqual(counts.sort(), [
    'apiserver_admission_controller_admission_duration_seconds_count{name="Refuses",type="admit",operation="CREATE",rejected="false"} 2',
    'apiserver_admission_controller_admission_duration_seconds_count{name="Refuses",type="validate",operation="CREATE",rejected="true"} 2',
    'apiserver_admission_step_admission_duration_seconds_count{type="admit",operation="CREATE",rejected="false"} 2',
    'apiserver_admission_step_admission_duration_seconds_count{type="validate",operation="CREATE",rejected="true"} 2',
    'apiserver_admission_step_admission_duration_seconds_summary_count{type="admit",operation="CREATE",rejected="false"} 2',
    'apiserver_admission_step_admission_duration_seconds_summary_count{type="validate",operation="CREATE",rejected="true"} 2',
  ]);
});
