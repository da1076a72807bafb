import assert from "node:assert/strict";
import { test } from "node:test";
import { portRange } from "./number-range.js";

const ports = [
  ["30000-32767", { text: "30000-32767", first: 30000, size: 2768, reserved: 86 }],
  ["30000+100", { text: "30000-30100", first: 30000, size: 101, reserved: 16 }],
  ["30000", { text: "30000-30000", first: 30000, size: 1, reserved: 0 }],
  ["1-65535", { text: "1-65535", first: 1, size: 65535, reserved: 128 }],
] as const;
for (const [text, range] of ports) {
  test(`the ports of ${text}`, () => {
    assert.deepEqual(portRange(text), range);
  });
}

for (const text of ["", "0-10", "5-4", "1-65536", "a-b", "1--2", "65535+1"]) {
  test(`${JSON.stringify(text)} is no range of ports`, () => {
    assert.equal(portRange(text), undefined);
  });
}
