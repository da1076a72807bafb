import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin } from "@gatehouse/apiserver/admission/testing";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { denyServiceExternalIPs } from "./deny-service-external-ips.js";

const service = (...externalIPs: string[]): JsonObject => ({ metadata: { name: "s" }, spec: { externalIPs } });
const denied = [403, 'services "s" is forbidden: Use of external IPs is denied by admission control'];

test("external addresses may stay and go, but not come", async () => {
  const plugin = denyServiceExternalIPs();
  const ask = async (object: JsonObject, oldObject?: JsonObject) =>
    (
      await askPlugin(plugin, {
        resource: "services",
        object,
        ...(oldObject === undefined ? {} : { operation: "UPDATE", oldObject }),
      })
    ).refusal;
  assert.equal(await ask(service()), undefined);
  assert.deepEqual(await ask(service("192.0.2.1")), denied);
  assert.equal(await ask(service("192.0.2.1"), service("192.0.2.2", "192.0.2.1")), undefined);
  assert.deepEqual(await ask(service("192.0.2.1", "192.0.2.3"), service("192.0.2.1")), denied);
});
