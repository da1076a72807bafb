import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadEtcdApi } from "../etcd/api/index.js";
import { encodePutResponse, encodeRangeResponse, encodeTxnResponse, encodeWatchResponse } from "./encode-answers.js";
import { members } from "./members.test.support.js";

const { kv, watch } = await loadEtcdApi();

const header = { clusterId: 2n ** 64n - 1n, memberId: 2n ** 63n + 5n, revision: 2 ** 40 + 3, raftTerm: 1n };
const keyValue = {
  key: Buffer.from("a\u0000"),
  createRevision: 127,
  modRevision: 2 ** 31,
  version: 128,
  value: Buffer.alloc(3000, 0xff),
  lease: 2n ** 32n,
};
const put = { header, prevKv: keyValue };
const range = { header, kvs: [keyValue, { ...keyValue, lease: 0n }], more: true, count: 2 ** 33 };
const txn = {
  header,
  succeeded: true,
  responses: [
    { responsePut: put },
    { responseRange: range },
    { responseDeleteRange: { header, deleted: 2, prevKvs: [keyValue] } },
    { responseTxn: { header, succeeded: false, responses: [{ responseRange: { header, kvs: [], count: 0 } }] } },
  ],
};
const changes = {
  header,
  watchId: 5,
  created: true,
  canceled: true,
  compactRevision: 9,
  cancelReason: "ä reason",
  fragment: true,
  events: [
    { type: 0, kv: keyValue, prevKv: keyValue },
    { type: 1, kv: { key: Buffer.from("k"), modRevision: 4 } },
  ],
};

interface Case {
  readonly name: string;
  readonly message: object;
  readonly method: { responseSerialize(message: never): Buffer; responseDeserialize(bytes: Buffer): unknown };
  readonly encode: (message: never) => Buffer;
}

const cases: readonly Case[] = [
  { name: "the answer to a put", message: put, method: kv.Put, encode: encodePutResponse },
  { name: "an empty answer to a put", message: {}, method: kv.Put, encode: encodePutResponse },
  { name: "the answer to a range", message: range, method: kv.Range, encode: encodeRangeResponse },
  { name: "the answer to a transaction", message: txn, method: kv.Txn, encode: encodeTxnResponse },
  { name: "the changes of a watch", message: changes, method: watch.Watch, encode: encodeWatchResponse },
  { name: "an empty message of a watch", message: {}, method: watch.Watch, encode: encodeWatchResponse },
];

describe("the encoders of etcd's frequent answers", () => {
  for (const { name, message, method, encode } of cases) {
    it(`writes ${name} so that the protobuf library reads the same from it as from its own`, () => {
      const read = (bytes: Buffer) => members(method.responseDeserialize(bytes));
      assert.deepEqual(read(encode(message as never)), read(method.responseSerialize(message as never)));
    });
  }
});
