import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Client, Server, ServiceError } from "@grpc/grpc-js";
import { callUnary } from "./call-unary.js";
import { type CompiledProto, compileProto } from "./compile-proto.js";
import { channelCredentials, serverCredentials } from "./credentials.js";
import { type Grpc, loadGrpc } from "./load-grpc.js";
import type { Methods } from "./method.js";

const text = `
syntax = "proto3"; package test;
message Part { bytes value = 1; }
message Sample {
  int64 revision = 1; uint64 id = 2; bytes key = 3; repeated Part parts = 4; Part part = 5;
  oneof choice { int64 left = 6; string right = 7; }
}
service Echo { rpc Say(Sample) returns (Sample); rpc Wait(Sample) returns (Sample); }
`;

interface Part {
  readonly value: Buffer;
}

interface Sample {
  readonly revision: number;
  readonly id: bigint;
  readonly key: Buffer;
  readonly parts: readonly Part[];
  readonly part: Part | null;
  readonly left: number | null;
  readonly right: string | null;
}

type EchoService = Methods<{ Say: [Sample, Sample]; Wait: [Sample, Sample] }>;

describe("compileProto", () => {
  let proto: CompiledProto;
  before(async () => {
    proto = await compileProto(text);
  });

  it("keeps numbers, identifiers of 64 bits, bytes, lists and choices", () => {
    const codec = proto.codec<Sample>("test.Sample");
    const sample = {
      revision: Number.MAX_SAFE_INTEGER,
      id: 0xffff_ffff_ffff_fffen,
      key: Buffer.from([0, 255]),
      parts: [{ value: Buffer.from("a") }, { value: Buffer.alloc(0) }],
      left: 0,
    };
    const decoded = codec.decode(codec.encode(sample));
    assert.equal(decoded.revision, sample.revision);
    assert.equal(decoded.id, sample.id);
    assert.ok(decoded.key.equals(sample.key));
    assert.deepEqual(
      decoded.parts.map(({ value }) => String(value)),
      ["a", ""],
    );
    assert.equal(decoded.part, null);
    assert.equal(decoded.left, 0);
    assert.equal(decoded.right, null);
  });

  it("gives members that are absent their default value", () => {
    const decoded = proto.codec<Sample>("test.Sample").decode(Buffer.alloc(0));
    assert.deepEqual([decoded.revision, decoded.id, decoded.key.length, decoded.parts.length], [0, 0n, 0, 0]);
  });

  it("refuses a counter that a number cannot hold", () => {
    const bytes = proto.codec<{ value: bigint }>("test.Sample").encode({ id: 2n ** 53n } as never);
    bytes[0] = 8; // the tag of `revision`
    assert.throws(() => proto.codec<Sample>("test.Sample").decode(bytes), RangeError);
  });
});

describe("a client and a server of a compiled service", () => {
  let grpc: Grpc;
  let echo: EchoService;
  let server: Server;
  let client: Client;

  before(async () => {
    grpc = await loadGrpc();
    echo = (await compileProto(text)).service<EchoService>("test.Echo");
    server = new grpc.Server();
    server.addService(echo, {
      Say: (call: { request: Sample }, answer: (error: null, response: object) => void) => answer(null, call.request),
      Wait: () => {},
    });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", serverCredentials(grpc, undefined), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    client = new grpc.Client(`127.0.0.1:${port}`, channelCredentials(grpc, undefined));
  });

  after(() => {
    client.close();
    server.forceShutdown();
  });

  it("understand each other", async () => {
    const answer = await callUnary(grpc, client, echo.Say, { id: 7n, key: Buffer.from("k") }, { deadlineMs: 30_000 });
    assert.deepEqual([answer.id, String(answer.key)], [7n, "k"]);
  });

  it("end a call whose signal aborts with the signal's reason", async () => {
    const reason = new Error("no longer needed");
    const controller = new AbortController();
    const options = { deadlineMs: 30_000, signal: controller.signal };
    const waiting = callUnary(grpc, client, echo.Wait, {}, options);
    controller.abort(reason);
    await assert.rejects(waiting, reason);
    await assert.rejects(callUnary(grpc, client, echo.Say, {}, options), reason);
  });

  it("end a call that has no answer at its deadline", async () => {
    const waiting = callUnary(grpc, client, echo.Wait, {}, { deadlineMs: 1 });
    await assert.rejects(waiting, (error: ServiceError) => error.code === grpc.status.DEADLINE_EXCEEDED);
  });
});
