import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { applyMergePatch } from "@gatehouse/envelopes/json-patch";
import { encodeAsWritten, spellingsAfterMerge, spellingsAfterOperations } from "./carried-spellings.js";

test("numbers of a merge patch are found again, as they were written, in what it has led to", () => {
  const { value, asWritten } = parseJson('{"spec":{"replicas":1.0,"ports":[{"port":8e1},{"port":2}]},"b":3.0}');
  const patch = value as JsonObject;
  const patched = applyMergePatch({ spec: { replicas: 5, other: 1 }, a: 1 }, patch);
  const written = spellingsAfterMerge(patch, patched, asWritten);
  assert.equal(
    encodeAsWritten(patched, written),
    '{"a":1,"b":3.0,"spec":{"other":1,"ports":[{"port":8e1},{"port":2}],"replicas":1.0}}',
  );
});

test("those of operations are found where they were put, unless something else stands there since", () => {
  const { value, asWritten } = parseJson(
    '[{"path":"/spec/replicas","value":2.0},{"path":"/list/-","value":7.0},{"path":"/gone","value":1.0},{"path":"/a~1b","value":{"c":4.0}},{"path":"/spec/x/y","value":1.0}]',
  );
  const patched = { spec: { replicas: 2 }, list: [6, 7], gone: 3, "a/b": { c: 4 } };
  const written = spellingsAfterOperations(value as readonly JsonObject[], patched, asWritten);
  assert.equal(encodeAsWritten(patched, written), '{"spec":{"replicas":2.0},"list":[6,7.0],"gone":3,"a/b":{"c":4.0}}');
});

test("where nothing is spelled oddly there is nothing to carry", () => {
  const { value, asWritten } = parseJson('{"a":1}');
  assert.equal(spellingsAfterMerge(value, value, asWritten), undefined);
});
