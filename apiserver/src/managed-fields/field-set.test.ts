import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  difference,
  type FieldSet,
  fieldsAt,
  hasField,
  inTextOrder,
  intersection,
  noFields,
  pathsOf,
  recursiveDifference,
  union,
} from "./field-set.js";
import { FieldsError } from "./fields-error.js";
import { parseFieldsV1 } from "./fields-v1.js";

const set = (text: string): FieldSet => parseFieldsV1(JSON.parse(text));
const text = (fields: FieldSet): string => JSON.stringify(fields);

const abc = set('{"f:a":{".":{},"f:b":{"f:c":{}}},"f:d":{}}');

describe("a set of fields", () => {
  test("has the fields that are leaves, and those that say so of themselves", () => {
    assert.equal(hasField(abc, ["f:a"]), true);
    assert.equal(hasField(abc, ["f:a", "f:b"]), false);
    assert.equal(hasField(abc, ["f:a", "f:b", "f:c"]), true);
    assert.equal(hasField(abc, ["f:x", "f:b"]), false);
    assert.equal(hasField(abc, []), false);
  });

  test("is united with another in the order of its elements, numbers by their value", () => {
    const ports = set('{"f:p":{"k:{\\"port\\":80}":{},"k:{\\"port\\":9000}":{}}}');
    const other = set('{"f:p":{".":{},"k:{\\"port\\":443}":{}}}');
    assert.equal(
      text(union(ports, other)),
      '{"f:p":{".":{},"k:{\\"port\\":80}":{},"k:{\\"port\\":443}":{},"k:{\\"port\\":9000}":{}}}',
    );
    assert.equal(
      text(inTextOrder(union(ports, other))),
      '{"f:p":{".":{},"k:{\\"port\\":443}":{},"k:{\\"port\\":80}":{},"k:{\\"port\\":9000}":{}}}',
    );
  });

  test("loses a field but not what is below it, unless that is asked for", () => {
    const a = set('{"f:a":{}}');
    assert.equal(text(difference(abc, a)), '{"f:a":{"f:b":{"f:c":{}}},"f:d":{}}');
    assert.equal(text(recursiveDifference(abc, a)), '{"f:d":{}}');
    assert.equal(text(difference(abc, abc)), "{}");
  });

  test("is the very same when nothing is added or taken", () => {
    assert.equal(union(abc, set('{"f:d":{}}')), abc);
    assert.equal(difference(abc, set('{"f:x":{}}')), abc);
    assert.equal(union(abc, noFields), abc);
  });

  test("meets another in the fields of both", () => {
    assert.equal(text(intersection(abc, set('{"f:a":{".":{},"f:b":{}},"f:d":{"f:e":{}}}'))), '{"f:a":{}}');
  });

  test("lists the fields of a place before those below it", () => {
    assert.deepEqual([...pathsOf(abc)], [["f:a"], ["f:d"], ["f:a", "f:b", "f:c"]]);
    assert.equal(text(fieldsAt([["f:b"], ["f:a", "f:c"]])), '{"f:a":{"f:c":{}},"f:b":{}}');
  });
});

describe("fieldsV1 of a client", () => {
  test("is read in any order and any way of writing keys", () => {
    assert.equal(
      text(set('{"f:b":{},"k:{\\"b\\":1.0, \\"a\\":\\"x\\"}":{},"f:a":{"f:x":null}}')),
      '{"f:a":{"f:x":{}},"f:b":{},"k:{\\"a\\":\\"x\\",\\"b\\":1}":{}}',
    );
  });

  test("keeps nothing of what it does not know, and refuses what is no path", () => {
    assert.equal(text(set('{"f:a":{"x:y":{}},"z:b":{}}')), '{"f:a":{}}');
    for (const wrong of ['{"f":{}}', '{"fa":{}}', '{"v:{":{}}', '{"i:x":{}}', '{"f:a":5}', "[]"]) {
      assert.throws(() => set(wrong), FieldsError, wrong);
    }
  });
});
