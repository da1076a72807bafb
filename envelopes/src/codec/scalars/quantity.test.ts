import assert from "node:assert/strict";
import { test } from "node:test";
import { DecodeError } from "../../errors.js";
import {
  addQuantity,
  canonicalQuantity,
  compareQuantity,
  parseQuantity,
  quantityValue,
  roundUpQuantity,
  subtractQuantity,
} from "./quantity.js";

const canonicalForms: readonly (readonly [string, string])[] = [
  ["0", "0"],
  ["0m", "0"],
  ["0Ki", "0"],
  ["-0", "0"],
  ["1", "1"],
  ["100m", "100m"],
  ["0.1", "100m"],
  [".1", "100m"],
  ["1.5", "1500m"],
  ["0.500", "500m"],
  ["1000m", "1"],
  ["1000", "1k"],
  ["1000k", "1M"],
  ["1001", "1001"],
  ["12000", "12k"],
  ["1e3", "1e3"],
  ["1e2", "100"],
  ["12E6", "12E6"],
  ["1000e3", "1e6"],
  ["1Ki", "1Ki"],
  ["512Mi", "512Mi"],
  ["1024Mi", "1Gi"],
  ["1000Ki", "1000Ki"],
  ["1.5Gi", "1536Mi"],
  ["0.5Ki", "512"],
  ["1.1Ki", "1126400m"],
  ["8Ei", "9223372036854775807"],
  ["100Ei", "9223372036854775807"],
  ["1E", "1E"],
  ["9223372036854775808", "9223372036854775808"],
  ["1000E", "1e21"],
  ["1n", "1n"],
  ["0.1n", "1n"],
  ["1.0000000001", "1000000001n"],
  ["-1.5", "-1500m"],
  ["-1024Ki", "-1Mi"],
  ["1e-9", "1e-9"],
  ["1e-10", "1e-9"],
  ["1e1000000000", "10e999999999"],
  ["1e-1000000000", "1e-9"],
  // Go keeps the text of these, although they could be shorter.
  ["1.500", "1.500"],
  ["+5", "+5"],
  ["007", "007"],
];

for (const [text, expected] of canonicalForms) {
  test(`the quantity ${text} is written ${expected}`, () => {
    assert.equal(canonicalQuantity(text), expected);
    assert.equal(parseQuantity(text).text, expected);
    assert.equal(compareQuantity(parseQuantity(text), parseQuantity(expected)), 0);
  });
}

const formatError = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const refused: readonly (readonly [string, string])[] = [
  ["", formatError],
  ["abc", formatError],
  ["1x", formatError],
  ["1.2.3", formatError],
  ["1 Gi", formatError],
  ["1Gi ", formatError],
  ["1KK", "unable to parse quantity's suffix"],
  ["1e", "unable to parse quantity's suffix"],
  ["1mi", "unable to parse quantity's suffix"],
  [`1${"0".repeat(5000)}`, "unable to parse numeric part of quantity"],
];

for (const [text, message] of refused) {
  test(`the quantity ${JSON.stringify(text.slice(0, 20))} is refused`, () => {
    assert.throws(() => parseQuantity(text), { name: DecodeError.name, message });
  });
}

test("quantities compare by value, whatever their format and size", () => {
  const ordered = [
    "-1Gi",
    "-1",
    "-1m",
    "0",
    "1n",
    "1m",
    "0.5",
    "999m",
    "1",
    "1k",
    "1Ki",
    "1M",
    "1e9",
    "1Ei",
    "1e100000000",
  ];
  for (const [i, a] of ordered.entries()) {
    for (const [j, b] of ordered.entries()) {
      assert.equal(Math.sign(compareQuantity(parseQuantity(a), parseQuantity(b))), Math.sign(i - j), `${a} and ${b}`);
    }
  }
});

test("sums and differences keep the format of the first operand", () => {
  const of = parseQuantity;
  assert.equal(addQuantity(of("1Gi"), of("512Mi")).text, "1536Mi");
  assert.equal(addQuantity(of("100m"), of("1")).text, "1100m");
  assert.equal(addQuantity(of("0"), of("1Gi")).text, "1Gi");
  assert.equal(subtractQuantity(of("1"), of("100m")).text, "900m");
  assert.equal(subtractQuantity(of("1"), of("1")).text, "0");
});

test("rounding is away from zero", () => {
  assert.equal(roundUpQuantity(parseQuantity("1.0000001"), -3).text, "1001m");
  assert.equal(roundUpQuantity(parseQuantity("-1.0000001"), -3).text, "-1001m");
  assert.equal(roundUpQuantity(parseQuantity("5m"), -3).text, "5m");
  assert.equal(quantityValue(parseQuantity("1500m")), 2n);
  assert.equal(quantityValue(parseQuantity("1Ki")), 1024n);
});

test("an amount as an integer that does not fit into 64 bits is what Go computes", () => {
  const of = (text: string) => quantityValue(parseQuantity(text));
  assert.equal(of("9223372036854775807"), 2n ** 63n - 1n);
  assert.equal(of("9E"), 9n * 10n ** 18n);
  assert.equal(of("10E"), 0n);
  assert.equal(of("-10E"), 0n);
  assert.equal(of("100Ei"), 2n ** 63n - 1n);
  assert.equal(of("10000000000000G"), BigInt.asIntN(64, 10n ** 22n));
  assert.equal(of("9223372036854775808"), -(2n ** 63n));
});

test("amounts of any size can be added and taken as integers", () => {
  const of = parseQuantity;
  assert.equal(addQuantity(of("1e9999"), of("1")), of("1e9999"));
  assert.equal(addQuantity(of("1"), of("-1e9999")).text, "-1e9999");
  assert.equal(quantityValue(of("1e9999")), 0n);
});
