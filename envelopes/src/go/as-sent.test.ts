import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJson } from "../codec/decode-json.js";
import { copyMemberNotes } from "../codec/member-notes.js";
import type { JsonObject } from "../json/json.js";
import { objectAt } from "../json/json-fields.js";
import { messageSchema } from "../schema/registry.js";
import { amountAsSent, amountsAsSent } from "./as-sent.js";
import { goListedQuantity } from "./literals.js";
import { goSyntax } from "./message-syntax.js";

const spec = "k8s.io.api.core.v1.ResourceQuotaSpec";

function decoded(hard: JsonObject): JsonObject {
  return decodeJson(messageSchema(spec), { hard }).object;
}

test("an amount is written in canonical notation, and shown in Go syntax as it was sent", () => {
  const quota = decoded({ pods: "0.5", cpu: "500m", memory: 1.5, services: " 2 " });
  const hard = objectAt(quota, "hard");
  assert.deepEqual(hard, { cpu: "500m", memory: "1500m", pods: "500m", services: "2" });
  assert.deepEqual(amountsAsSent(quota, "hard"), { cpu: "500m", memory: "1.5", pods: "0.5", services: "2" });
  const shown = (value: string, text: string) =>
    `resource.Quantity{i:resource.int64Amount{${value}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${text}, Format:"DecimalSI"}`;
  assert.equal(goListedQuantity(hard, "pods"), shown("value:5, scale:-1", '""'));
  assert.equal(goListedQuantity(hard, "pods", true), shown("value:5, scale:-1", '"500m"'));
  assert.equal(goListedQuantity(hard, "cpu"), shown("value:500, scale:-3", '"500m"'));
  assert.ok(goSyntax(spec, quota).includes(`"pods":${shown("value:5, scale:-1", '""')}`));
});

test("an amount that has been changed since is shown as it is", () => {
  const hard = objectAt(decoded({ pods: "0.5", cpu: "0.0001" }), "hard");
  hard["pods"] = "2";
  assert.equal(amountAsSent(hard, "pods"), "2");
  hard["cpu"] = "1m";
  assert.equal(amountAsSent(hard, "cpu"), "0.0001", "it has been rounded, as all amounts of resources are");
});

test("a copy has amounts as sent where the notes are copied, too", () => {
  const hard = objectAt(decoded({ pods: "0.5" }), "hard");
  const copy = { ...hard };
  assert.equal(amountAsSent(copy, "pods"), "500m");
  copyMemberNotes(hard, copy);
  assert.equal(amountAsSent(copy, "pods"), "0.5");
});
