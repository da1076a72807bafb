import assert from "node:assert/strict";
import { test } from "node:test";
import { areTolerationsAllowed, mergeTolerations } from "./tolerations.js";

const all = { operator: "Exists" };
const x = { key: "x", operator: "Exists" };
const xv = { key: "x", operator: "Equal", value: "v" };
const short = { key: "x", operator: "Exists", effect: "NoExecute", tolerationSeconds: 10 };
const endless = { key: "x", operator: "Exists", effect: "NoExecute" };

test("of two lists those stay that no other makes superfluous", () => {
  assert.deepEqual(mergeTolerations([xv], [x]), [x]);
  assert.deepEqual(mergeTolerations([x, xv], [all]), [all]);
  assert.deepEqual(mergeTolerations([short], [endless]), [endless]);
  assert.deepEqual(mergeTolerations([xv], [{ ...xv }]), [xv]);
  assert.deepEqual(mergeTolerations([xv], [{ ...xv, value: "w" }]), [xv, { ...xv, value: "w" }]);
});

test("what lasts longer than is allowed is not allowed", () => {
  assert.equal(areTolerationsAllowed([endless], [short]), false);
  assert.equal(areTolerationsAllowed([{ ...short, tolerationSeconds: 11 }], [short]), false);
  assert.equal(areTolerationsAllowed([{ ...short, tolerationSeconds: 9 }], [short]), true);
});

test("an empty list allows all, and all is allowed by none but itself", () => {
  assert.equal(areTolerationsAllowed([all], []), true);
  assert.equal(areTolerationsAllowed([all], [x]), false);
  assert.equal(areTolerationsAllowed([xv, short], [x]), true);
});
