import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadEtcdApi } from "../etcd/api/index.js";
import { decodePutRequest, decodeRangeRequest, decodeTxnRequest } from "./decode-requests.js";
import { members } from "./members.test.support.js";

const { kv } = await loadEtcdApi();

/** Every field of a message set to something that is not its default. */
const range = {
  key: Buffer.from("a"),
  rangeEnd: Buffer.from("b\u0000"),
  limit: 500,
  revision: 2 ** 40 + 1,
  sortOrder: 2,
  sortTarget: 4,
  serializable: true,
  keysOnly: true,
  countOnly: true,
  minModRevision: 3,
  maxModRevision: 300,
  minCreateRevision: 2 ** 33,
  maxCreateRevision: 2 ** 34,
};
const put = {
  key: Buffer.from("k"),
  value: Buffer.alloc(300, "v"),
  lease: 2n ** 63n + 7n,
  prevKv: true,
  ignoreValue: true,
  ignoreLease: true,
};
const compare = { result: 3, key: Buffer.from("k"), rangeEnd: Buffer.from("z") };
const txn = {
  compare: [
    { ...compare, target: 0, version: 7 },
    { ...compare, target: 1, createRevision: 2 ** 35 },
    { ...compare, target: 2, modRevision: 0 },
    { ...compare, target: 3, value: Buffer.from("v") },
    { ...compare, target: 4, lease: 2n ** 64n - 1n },
    {},
  ],
  success: [{ requestPut: put }, { requestRange: range }, {}],
  failure: [
    { requestDeleteRange: { key: Buffer.from("k"), rangeEnd: Buffer.from("z"), prevKv: true } },
    { requestTxn: { compare: [{ ...compare, target: 0, version: 0 }], success: [{ requestRange: {} }] } },
  ],
};

interface Case {
  readonly name: string;
  readonly message: object;
  readonly method: { requestSerialize(message: never): Buffer; requestDeserialize(bytes: Buffer): unknown };
  readonly decode: (bytes: Buffer) => unknown;
}

const cases: readonly Case[] = [
  { name: "a range", message: range, method: kv.Range, decode: decodeRangeRequest },
  { name: "an empty range", message: {}, method: kv.Range, decode: decodeRangeRequest },
  { name: "a range of a negative revision", message: { revision: -1 }, method: kv.Range, decode: decodeRangeRequest },
  { name: "a put", message: put, method: kv.Put, decode: decodePutRequest },
  { name: "an empty put", message: {}, method: kv.Put, decode: decodePutRequest },
  { name: "a transaction", message: txn, method: kv.Txn, decode: decodeTxnRequest },
  { name: "an empty transaction", message: {}, method: kv.Txn, decode: decodeTxnRequest },
];

describe("the decoders of etcd's frequent requests", () => {
  for (const { name, message, method, decode } of cases) {
    const bytes = method.requestSerialize(message as never);

    it(`reads ${name} as the protobuf library does`, () => {
      assert.deepEqual(members(decode(bytes)), members(method.requestDeserialize(bytes)));
    });

    it(`skips unknown fields of ${name}`, () => {
      const unknown = Buffer.from([0xfa, 0x07, 0x02, 0x61, 0x62, 0xf8, 0x07, 0x96, 0x01]);
      assert.deepEqual(decode(Buffer.concat([bytes, unknown])), decode(bytes));
    });
  }

  it("throws for a message that is cut off", () => {
    const bytes = kv.Put.requestSerialize({ key: Buffer.from("key"), value: Buffer.from("value") });
    assert.throws(() => decodePutRequest(bytes.subarray(0, bytes.length - 1)), /unexpected EOF/);
  });

  it("takes the last operation where several are set", () => {
    const first = kv.Txn.requestSerialize({ success: [{ requestRange: { key: Buffer.from("r") } }] }).subarray(2);
    const last = kv.Txn.requestSerialize({ success: [{ requestPut: { key: Buffer.from("p") } }] }).subarray(2);
    const both = Buffer.concat([Buffer.from([0x12, first.length + last.length]), first, last]);
    const [operation] = decodeTxnRequest(both).success;
    assert.equal(operation?.requestRange, null);
    assert.equal(operation?.requestPut?.key.toString(), "p");
  });

  it("throws for transactions inside of each other beyond a depth that the stack bears", () => {
    let message: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < 2000; depth++) {
      message = wrapped(0x12, wrapped(0x22, message)); // an operation of a transaction, which is a transaction
    }
    assert.throws(() => decodeTxnRequest(message), /max depth/);
  });
});

/** A field with the bytes of a message. */
function wrapped(tag: number, message: Buffer): Buffer {
  const length: number[] = [];
  let rest = message.length;
  for (; rest > 0x7f; rest >>>= 7) {
    length.push((rest & 0x7f) | 0x80);
  }
  return Buffer.concat([Buffer.from([tag, ...length, rest]), message]);
}
