import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GrpcCallError } from "@gatehouse/component-base/grpc";
import {
  StoreRefusedError,
  StoreTimeoutError,
  StoreUnwritableError,
  StoreValueTooLargeError,
} from "../../errors/errors.js";
import { isMemberFailure, isRefusal, storeErrorOf } from "./etcd-errors.js";

function failed(code: number, details: string): Error {
  return new GrpcCallError(code, details);
}

describe("a failed write", () => {
  for (const [code, details] of [
    [3, "etcdserver: request is too large"],
    [5, "etcdserver: requested lease not found"],
    [8, "etcdserver: mvcc: database space exceeded"],
    [7, "etcdserver: permission denied"],
    [14, "etcdserver: no leader"],
    [8, "etcdserver: too many requests"],
  ] as const) {
    it(`has certainly not happened after: ${details}`, () => assert.ok(isRefusal(failed(code, details))));
  }

  for (const [code, details] of [
    [14, "etcdserver: request timed out"],
    [14, "etcdserver: leader changed"],
    [14, "etcdserver: request timed out, possibly due to previous leader failure"],
    [14, "Connection dropped"],
    [13, "Received RST_STREAM with code 2 (Internal server error)"],
    [8, "Received message larger than max (5 vs 4)"],
    [4, "Deadline exceeded"],
    [2, "anything"],
    [1, "Call cancelled"],
  ] as const) {
    it(`may have happened after ${code}: ${details}`, () => assert.ok(!isRefusal(failed(code, details))));
  }

  it("may have happened after an error that no call has made", () => assert.ok(!isRefusal(new Error("other"))));
});

describe("storeErrorOf", () => {
  it("keeps etcd's own texts, as v1.29 does", () => {
    const error = storeErrorOf(failed(3, "etcdserver: request is too large"));
    assert.ok(error instanceof StoreRefusedError);
    assert.equal(error.message, "etcdserver: request is too large");
  });

  it("tells other errors with their code, as v1.29 does", () => {
    const error = storeErrorOf(failed(14, "Connection dropped"));
    assert.ok(error instanceof StoreRefusedError);
    assert.equal(error.message, "rpc error: code = Unavailable desc = Connection dropped");
  });

  for (const [code, details] of [
    [3, "etcdserver: request is too large"],
    [8, "grpc: received message larger than max (2340319 vs. 2097152)"],
  ] as const) {
    it(`knows a value that is too large by: ${details}`, () => {
      assert.ok(storeErrorOf(failed(code, details)) instanceof StoreValueTooLargeError);
    });
  }

  it("takes an answer that is too large for none", () => {
    const error = storeErrorOf(failed(8, "Received message larger than max (5 vs 4)"));
    assert.ok(error instanceof StoreRefusedError && !(error instanceof StoreValueTooLargeError));
  });

  it("tells a quota and a deadline apart", () => {
    assert.ok(storeErrorOf(failed(8, "etcdserver: mvcc: database space exceeded")) instanceof StoreUnwritableError);
    assert.ok(storeErrorOf(failed(4, "Deadline exceeded")) instanceof StoreTimeoutError);
  });
});

describe("isMemberFailure", () => {
  it("does not blame the member for a request that is wrong", () => {
    assert.ok(!isMemberFailure(failed(3, "etcdserver: request is too large")));
    assert.ok(isMemberFailure(failed(13, "Received RST_STREAM with code 2 (Internal server error)")));
  });
});
