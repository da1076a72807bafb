import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { silentObserver } from "../store-condition.js";
import { defaultWriteRetry, WriteGate } from "./write-gate.js";

function gateOf(directory: string): WriteGate {
  return new WriteGate({ directory, observer: silentObserver, retry: defaultWriteRetry, probe: async () => {} });
}

test("space is scarce where the file system has hardly any, and not where there is much or nobody can tell", {
  skip: process.platform !== "linux" && "/proc, which has no space, is of Linux",
}, () => {
  for (const [directory, expected] of [
    ["/proc", true],
    [tmpdir(), false],
    ["/absent", false],
  ] as const) {
    using gate = gateOf(directory);
    assert.equal(gate.isSpaceScarce, expected, directory);
    assert.equal(gate.isSpaceScarce, expected, `${directory}, asked again`);
    assert.equal(gate.problem, undefined);
  }
});
