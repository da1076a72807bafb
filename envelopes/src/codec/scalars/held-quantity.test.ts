import assert from "node:assert/strict";
import { test } from "node:test";
import { heldQuantity } from "./held-quantity.js";

/** Returns a quantity as Go holds it: the number, the kept text, and the format. */
function held(text: string, isListed: boolean): string {
  const { value, scale, decimal, text: kept, format } = heldQuantity(text, isListed);
  return `${decimal ?? `${value}e${scale}`} ${JSON.stringify(kept)} ${format}`;
}

// As kube-apiserver v1.29.0 shows them in errors about a LimitRange and a ResourceQuota.
for (const [text, listed] of [
  ["0", '0e0 "0" DecimalSI'],
  ["0.0", '0e-1 "" DecimalSI'],
  ["0m", '0e-3 "" DecimalSI'],
  ["0Ki", '0e0 "" BinarySI'],
  ["500m", '500e-3 "500m" DecimalSI'],
  ["0.5", '5e-1 "" DecimalSI'],
  ["0.50", '50e-2 "" DecimalSI'],
  [".5", '5e-1 "" DecimalSI'],
  ["+0.5", '5e-1 "" DecimalSI'],
  ["-0.5", '-5e-1 "" DecimalSI'],
  ["1.5", '15e-1 "" DecimalSI'],
  ["15e-1", '15e-1 "" DecimalExponent'],
  ["1k", '1e3 "1k" DecimalSI'],
  ["1000", '1000e0 "" DecimalSI'],
  ["3Ki", '3072e0 "3Ki" BinarySI'],
  ["8Ki", '8192e0 "" BinarySI'],
  ["0.123456789", '124e-3 "" DecimalSI'],
  ["1n", '1e-3 "" DecimalSI'],
  ["0.1Ki", '102.400 "" BinarySI'],
  ["9223372036854775808", '9223372036854775808.000 "" DecimalSI'],
] as const) {
  test(`${text} in a list of resources is held as ${listed}`, () => {
    assert.equal(held(text, true), listed);
  });
}

test("zeros that nobody could read are not written out", () => {
  assert.equal(held("1234567890123456789e999999999", true), '1234567890123456789e999999999 "" DecimalExponent');
});

test("an amount outside of a list of resources is not rounded to thousandths", () => {
  assert.equal(held("0.0001", false), '1e-4 "" DecimalSI');
  assert.equal(held("100u", false), '100e-6 "100u" DecimalSI');
  assert.equal(held("0.1Ki", false), '102.4 "" BinarySI');
});
