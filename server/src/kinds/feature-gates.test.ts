import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultFeatureGates, parseFeatureGates } from "@gatehouse/apiserver/options";
import { type FeatureSpec, knownFeatures } from "@gatehouse/envelopes/features";
import { factsMissing, readFactTable } from "./fact-tables.test.support.js";

test("without the flag every feature has its default", () => {
  const gates = defaultFeatureGates();
  assert.equal(gates.enabled("APIListChunking"), true);
  assert.equal(gates.enabled("WatchList"), false);
});

test("features are switched on and off by name, in any spelling of a boolean", () => {
  const { gates, problems, warnings } = parseFeatureGates("WatchList=true, APIResponseCompression = F ,");
  assert.deepEqual([problems, warnings], [[], []]);
  assert.equal(gates.enabled("WatchList"), true);
  assert.equal(gates.enabled("APIResponseCompression"), false);
});

test("AllAlpha and AllBeta set every gate of their stage that is not set by name, in whatever order", () => {
  const { gates } = parseFeatureGates("WatchList=false,AllAlpha=true,AllBeta=false,APIResponseCompression=true");
  assert.equal(gates.enabled("WatchList"), false);
  assert.equal(gates.enabled("StorageVersionAPI"), true);
  assert.equal(gates.enabled("APIResponseCompression"), true);
  assert.equal(gates.enabled("APIServerTracing"), false);
  assert.equal(gates.enabled("APIListChunking"), true);
  assert.equal(gates.enabled("AllBeta"), false);
});

const mistakes: readonly (readonly [string, string])[] = [
  ["Nothing=true", "unrecognized feature gate: Nothing"],
  ["constructor=true", "unrecognized feature gate: constructor"],
  ["WatchList", "missing bool value for WatchList"],
  ["WatchList=yes", 'invalid value of WatchList=yes, err: strconv.ParseBool: parsing "yes": invalid syntax'],
  ["APIListChunking=false", "cannot set feature gate APIListChunking to false, feature is locked to true"],
];

for (const [text, problem] of mistakes) {
  test(`--feature-gates=${text} is refused: ${problem}`, () => {
    assert.deepEqual(parseFeatureGates(text).problems, [problem]);
  });
}

test("every mistake is reported", () => {
  assert.equal(parseFeatureGates("A=true,B=true").problems.length, 2);
});

test("setting a gate that will go away is warned about", () => {
  assert.deepEqual(parseFeatureGates("APIListChunking=true").warnings, [
    "Setting GA feature gate APIListChunking=true. It will be removed in a future release.",
  ]);
});

test("the gates are those of v1.29", { skip: factsMissing }, () => {
  const facts = readFactTable<{
    readonly gates: Readonly<Record<string, { default: boolean; stage: string; lockToDefault: boolean }>>;
  }>("feature-gates.json");
  const expected = Object.fromEntries(
    Object.entries(facts.gates).map(([name, gate]): [string, FeatureSpec] => [
      name,
      { stage: gate.stage as FeatureSpec["stage"], default: gate.default, locked: gate.lockToDefault },
    ]),
  );
  assert.deepEqual({ ...knownFeatures }, expected);
});
