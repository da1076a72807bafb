import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadEtcdApi } from "./api/etcd-api.js";
import { compareResult, compareTarget } from "./api/kv.js";
import { RequestMemory } from "./request-memory.js";
import { encodeConditionalWrite } from "./write-request.js";

const { kv } = await loadEtcdApi();
const key = Buffer.from("/registry/pods/default/a");

describe("encodeConditionalWrite", () => {
  for (const expectedRevision of [0, 127, 128, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
    for (const length of [0, 1, 127, 128, 5000, 100_000]) {
      for (const lease of [0n, 1n, 0x7587_8a1b_2c3d_4e5fn]) {
        it(`is what the compiled codec makes of a put of ${length} bytes at ${expectedRevision}, lease ${lease}`, () => {
          const value = Buffer.alloc(length, 7);
          const encoded = encodeConditionalWrite({ key, expectedRevision, value, lease }, new RequestMemory().allocate);
          const requestPut = { key, value, ...(lease === 0n ? {} : { lease }) };
          assert.deepEqual(decoded(encoded), decoded(request(expectedRevision, { requestPut })));
        });
      }
    }
  }

  it("is what the compiled codec makes of a deletion", () => {
    const write = { key, expectedRevision: 300, value: undefined, lease: 0n };
    const encoded = encodeConditionalWrite(write, Buffer.alloc);
    assert.deepEqual(decoded(encoded), decoded(request(300, { requestDeleteRange: { key } })));
  });
});

describe("RequestMemory", () => {
  it("uses the memory of a large request again, once", () => {
    const memory = new RequestMemory();
    const first = memory.allocate(5000);
    memory.release(first.subarray(0, 5000));
    const second = memory.allocate(6000);
    assert.equal(second.buffer, first.buffer);
    assert.notEqual(memory.allocate(6000).buffer, first.buffer);
  });
});

function request(expectedRevision: number, operation: object): Buffer {
  return kv.Txn.requestSerialize({
    compare: [{ result: compareResult.equal, target: compareTarget.mod, key, modRevision: expectedRevision }],
    success: [operation],
    failure: [{ requestRange: { key } }],
  });
}

/** The message as JSON: fields with their default value may or may not be on the wire. */
function decoded(bytes: Buffer): unknown {
  const plain = (value: unknown): unknown => {
    if (Buffer.isBuffer(value) || typeof value !== "object" || value === null) {
      return Buffer.isBuffer(value) ? value.toString("hex") : value;
    }
    return Array.isArray(value) ? value.map(plain) : withDefaults(value, plain);
  };
  return plain(kv.Txn.requestDeserialize(bytes));
}

function withDefaults(message: object, plain: (value: unknown) => unknown): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const name in message) {
    const value = (message as Record<string, unknown>)[name];
    if (typeof value !== "function" && !name.startsWith("$")) {
      members[name] = plain(value);
    }
  }
  return members;
}
