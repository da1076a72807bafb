import assert from "node:assert/strict";
import { test } from "node:test";
import { type FieldSet, inTextOrder } from "./field-set.js";
import { setOfText, textOfSet } from "./known-sets.js";

const port = (number: number) => String.raw`"k:{\"containerPort\":${number},\"protocol\":\"TCP\"}":{"f:name":{}}`;
const ports = (...numbers: number[]) => `{"f:spec":{"f:ports":{".":{},${numbers.map(port).join(",")}}}}`;

test("a set that a write of /scale has left in the order of its texts is ordered by numbers again", () => {
  assert.equal(textOfSet(setOfText(ports(443, 80, 8080))), ports(80, 443, 8080));
  assert.equal(
    textOfSet(setOfText('{"f:a":{"v:10":{},"v:9":{}},"f:b":{"i:10":{},"i:9":{}}}')),
    '{"f:a":{"v:9":{},"v:10":{}},"f:b":{"i:9":{},"i:10":{}}}',
  );
});

test("the same when it has just been written", () => {
  const left = textOfSet(inTextOrder(JSON.parse(ports(81, 444)) as FieldSet));
  assert.equal(left, ports(444, 81));
  assert.equal(textOfSet(setOfText(left)), ports(81, 444));
});

test("a set in order is what its text says", () => {
  for (const text of [ports(80, 443), '{"f:a":{"k:{\\"name\\":\\"b\\"}":{".":{},"f:name":{}}}}', "{}"]) {
    assert.equal(textOfSet(setOfText(text)), text);
  }
});
