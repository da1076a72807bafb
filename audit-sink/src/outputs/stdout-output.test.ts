import assert from "node:assert/strict";
import { test } from "node:test";
import { outputBatch, outputContract, outputEvent } from "./output-contract.test.support.js";
import { stdoutOutput } from "./stdout-output.js";

outputContract("standard output", { keepsOnce: false, canFail: true }, async () => {
  const lines: string[] = [];
  let isFull = false;
  const write = async (data: Uint8Array): Promise<void> => {
    if (isFull) {
      throw new Error("no space left on device");
    }
    lines.push(...Buffer.from(data).toString().split("\n").slice(0, -1));
  };
  return {
    open: async () => stdoutOutput({ write }),
    received: async () => lines.map((line) => (JSON.parse(line) as { auditID: string }).auditID),
    breakDown: async () => {
      isFull = true;
    },
    mend: async () => {
      isFull = false;
    },
    async [Symbol.asyncDispose]() {},
  };
});

test("standard output: what its reader takes only after the time for it is up is not written again", async () => {
  const written: (() => void)[] = [];
  const output = stdoutOutput({ write: () => new Promise((resolve) => written.push(resolve)) });
  const batch = outputBatch([outputEvent(0)]);
  for (let attempt = 0; attempt < 2; attempt++) {
    const late = new AbortController();
    const delivering = output.deliver(batch, late.signal);
    late.abort(new Error("late"));
    await assert.rejects(async () => delivering, new Error("late"));
  }
  written[0]?.();
  await output.deliver(batch, new AbortController().signal);
  assert.equal(written.length, 1);
  const next = output.deliver(outputBatch([outputEvent(1)]), new AbortController().signal);
  written[1]?.();
  await next;
  assert.equal(written.length, 2);
});
