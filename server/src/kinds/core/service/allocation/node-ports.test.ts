import assert from "node:assert/strict";
import { test } from "node:test";
import type { NumberRange } from "@gatehouse/apiserver/options";
import { StatusError } from "@gatehouse/envelopes/status";
import { planNewNodePorts, releasedNodePorts } from "./node-ports.js";
import type { RangeEdit } from "./range-allocator.js";

const range: NumberRange = { text: "30000-32767", first: 30_000, size: 2768, reserved: 0 };

/** Returns an edit that allocates one number after the other, and any that is in the range. */
function edit(): RangeEdit {
  let next = range.first;
  return {
    has: () => false,
    allocate: (number) => (number >= range.first && number < range.first + range.size ? "allocated" : "outside"),
    allocateNext: () => next++,
    release() {},
  };
}

test("the ports of one service are planned in one go, however many there are", () => {
  const ports = Array.from({ length: 30_000 }, (_, index) => ({ name: `p${index}`, port: index + 1 }));
  const spec = { type: "NodePort", ports };
  const started = process.cpuUsage();
  const plan = planNewNodePorts({ name: "s", spec, range, edit: edit() });
  releasedNodePorts(spec, plan, { type: "NodePort", ports: ports.map((port) => ({ ...port, nodePort: port.port })) });
  assert.equal(plan.nodePorts.length, 30_000);
  // To look through all ports for each of them takes many seconds.
  assert.ok(process.cpuUsage(started).user < 5e6);
});

test("a port gets the number that a port of the same number after it asks for", () => {
  const ports = [
    { name: "a", port: 53, protocol: "TCP" },
    { name: "b", port: 53, protocol: "UDP", nodePort: 30_053 },
  ];
  const plan = planNewNodePorts({ name: "s", spec: { type: "NodePort", ports }, range, edit: edit() });
  assert.deepEqual(plan.nodePorts, [30_053, 30_053]);
});

test("a port for health checks that cannot be had is the client's mistake, in the words of v1.29", () => {
  const spec = { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 2_147_483_647, ports: [] };
  assert.throws(
    () => planNewNodePorts({ name: "s", spec, range, edit: edit() }),
    (error) =>
      error instanceof StatusError &&
      error.code === 400 &&
      error.message ===
        "failed to allocate requested HealthCheck NodePort 2147483647: provided port is not in the valid range. The range of valid ports is 30000-32767",
  );
});
