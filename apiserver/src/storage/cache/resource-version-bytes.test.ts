import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isStamped, planStamp, restamp, writeStamped } from "./resource-version-bytes.js";

const rows: readonly { readonly name: string; readonly stored: string; readonly stamped: string }[] = [
  {
    name: "behind the uid of a canonical object",
    stored: '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"u-1","labels":{}}}',
    stamped:
      '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"u-1","resourceVersion":"7","labels":{}}}',
  },
  {
    name: "behind the uid of a canonical object whose name holds brackets and braces",
    stored: '{"kind":"Role","apiVersion":"v1","metadata":{"name":"\\u001b[1m}\\"{","namespace":"b","uid":"u-1"}}',
    stamped:
      '{"kind":"Role","apiVersion":"v1","metadata":{"name":"\\u001b[1m}\\"{","namespace":"b","uid":"u-1","resourceVersion":"7"}}',
  },
  {
    name: "first in metadata that have no uid",
    stored: '{"kind":"Pod","metadata":{"name":"a"},"spec":{"uid":"not mine"}}',
    stamped: '{"kind":"Pod","metadata":{"resourceVersion":"7","name":"a"},"spec":{"uid":"not mine"}}',
  },
  {
    name: "first in metadata whose first uid is that of an owner",
    stored: '{"kind":"Pod","metadata":{"ownerReferences":[{"uid":"owner"}],"uid":"own"}}',
    stamped: '{"kind":"Pod","metadata":{"resourceVersion":"7","ownerReferences":[{"uid":"owner"}],"uid":"own"}}',
  },
  {
    name: "before the uid of an object of a custom kind, whatever its first member",
    stored: '{"alpha":{"uid":"inner"},"apiVersion":"a/v1","kind":"A","metadata":{"name":"a","uid":"own"},"spec":{}}',
    stamped:
      '{"alpha":{"uid":"inner"},"apiVersion":"a/v1","kind":"A","metadata":{"name":"a","resourceVersion":"7","uid":"own"},"spec":{}}',
  },
  {
    name: "into empty metadata",
    stored: '{"metadata":{},"x":1}',
    stamped: '{"metadata":{"resourceVersion":"7"},"x":1}',
  },
  {
    name: "into the outermost metadata, not into a template's",
    stored: '{"spec":{"template":{"metadata":{"uid":"inner"}}},"metadata":{"name":"a"}}',
    stamped: '{"spec":{"template":{"metadata":{"uid":"inner"}}},"metadata":{"resourceVersion":"7","name":"a"}}',
  },
  {
    name: "past strings that look like metadata",
    stored: '{"note":"\\"metadata\\":{\\\\","metadata":{"name":"}{"}}',
    stamped: '{"note":"\\"metadata\\":{\\\\","metadata":{"resourceVersion":"7","name":"}{"}}',
  },
  { name: "nowhere in an object without metadata", stored: '{"a":["metadata"]}', stamped: '{"a":["metadata"]}' },
  { name: "nowhere in what is no object", stored: "[1,2", stamped: "[1,2" },
];

function stamp(value: Buffer, revision: number): Buffer {
  const plan = planStamp(value, revision);
  const bytes = Buffer.alloc(plan.length);
  writeStamped(plan, bytes, 0);
  return bytes;
}

describe("resource version in stored bytes", () => {
  for (const { name, stored, stamped } of rows) {
    it(`goes ${name}`, () => {
      assert.equal(String(stamp(Buffer.from(stored), 7)), stamped);
      assert.ok(isStamped(planStamp(Buffer.from(stored), 7), Buffer.from(stamped)));
      for (let at = 0; at < stamped.length; at++) {
        const changed = Buffer.from(stamped);
        changed[at] = (changed[at] as number) ^ 1;
        assert.ok(!isStamped(planStamp(Buffer.from(stored), 7), changed), `byte ${at}`);
      }
      assert.ok(!isStamped(planStamp(Buffer.from(stored), 7), Buffer.from(`${stamped} `)));
      const other = stamped.replace('"resourceVersion":"7"', '"resourceVersion":"12345678901"');
      assert.equal(String(restamp(Buffer.from(stamped), 7, 12345678901)), other);
    });
  }

  it("is what parsing, setting and printing gives, whatever the object holds", () => {
    const names = fc.constantFrom("metadata", "uid", "resourceVersion", "name", "x", '"uid":"', "{", "}");
    const value = fc.oneof(
      names,
      fc.integer(),
      fc.dictionary(names, fc.oneof(names, fc.array(names))),
      fc.constant(null),
    );
    const metadata = fc
      .dictionary(names, value)
      .map(({ resourceVersion: _, uid, ...rest }) => (typeof uid === "string" ? { uid, ...rest } : rest));
    fc.assert(
      fc.property(
        fc.dictionary(names, value),
        metadata,
        fc.integer({ min: 1 }),
        fc.integer({ min: 1 }),
        (object, own, a, b) => {
          const stored = { ...object, metadata: own };
          const stamped = stamp(Buffer.from(JSON.stringify(stored)), a);
          const expected = (revision: number) => ({
            ...stored,
            metadata: { ...own, resourceVersion: String(revision) },
          });
          assert.deepEqual(JSON.parse(String(stamped)), JSON.parse(JSON.stringify(expected(a))));
          assert.deepEqual(JSON.parse(String(restamp(stamped, a, b))), JSON.parse(JSON.stringify(expected(b))));
        },
      ),
    );
  });
});
