import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PendingWrites, type TableEntry, type TableRange } from "./pending-writes.js";

const key = fc.uint8Array({ minLength: 1, maxLength: 2, max: 3 }).map((bytes) => Buffer.from(bytes));
const value = fc.uint8Array({ minLength: 1, maxLength: 1 }).map((bytes) => Buffer.from(bytes));
const write = fc.record({ key, value: fc.option(value, { nil: undefined }) });

/** Returns the entries of a range as LMDB does. */
function entriesOf(table: ReadonlyMap<string, Buffer>, { start, end, reverse = false }: TableRange): TableEntry[] {
  const direction = reverse ? -1 : 1;
  return [...table]
    .map(([hex, value]) => ({ key: Buffer.from(hex, "hex"), value }))
    .filter(
      ({ key }) =>
        direction * Buffer.compare(key, start) >= 0 && (end === undefined || direction * Buffer.compare(key, end) < 0),
    )
    .sort((a, b) => direction * Buffer.compare(a.key, b.key));
}

test("pending writes are read over a table as if they were in it already, in both directions", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(key, value)),
      fc.array(write),
      key,
      fc.option(key, { nil: undefined }),
      fc.boolean(),
      (stored, written, start, end, reverse) => {
        const before = new Map(stored.map(([at, bytes]) => [at.toString("hex"), bytes]));
        const after = new Map(before);
        const writes = new PendingWrites();
        for (const { key: at, value: bytes } of written) {
          if (bytes === undefined) {
            writes.remove("keys", at);
            after.delete(at.toString("hex"));
          } else {
            writes.put("keys", at, bytes);
            after.set(at.toString("hex"), bytes);
          }
        }
        const range: TableRange = { start, reverse, ...(end === undefined ? {} : { end }) };
        assert.deepEqual([...writes.merged("keys", range, entriesOf(before, range))], entriesOf(after, range));
        assert.deepEqual([...writes.merged("log", range, entriesOf(before, range))], entriesOf(before, range));
        for (const { key: at } of written) {
          assert.equal(writes.newest("keys", at)?.value, written.findLast((one) => one.key.equals(at))?.value);
        }
        assert.equal(writes.newest("log", start), undefined);
        assert.equal(writes.isEmpty, written.length === 0);
      },
    ),
  );
});

test("pending writes refuse a key that LMDB would refuse amid the others", () => {
  const writes = new PendingWrites();
  for (const length of [0, 1979]) {
    const refused = { name: "RangeError", message: 'a key of the table "keys" must have 1 to 1978 bytes' };
    assert.throws(() => writes.put("keys", Buffer.alloc(length), Buffer.of(1)), refused);
    assert.throws(() => writes.append("keys", Buffer.alloc(length), Buffer.of(1)), refused);
    assert.throws(() => writes.remove("keys", Buffer.alloc(length)), refused);
  }
  assert.equal(writes.isEmpty, true);
  writes.put("keys", Buffer.alloc(1978), Buffer.of(1));
  assert.equal(writes.isEmpty, false);
});
