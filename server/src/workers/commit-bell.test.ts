import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { openCommitBell } from "./commit-bell.js";

test("the first commit is told at once, those that follow within 5 ms together, and none is forgotten", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let told = 0;
    let rung = 0;
    let onTold = (): void => {};
    const workers = {
      tell: () => {
        told++;
      },
      onTold: (_topic: string, listener: () => void) => {
        onTold = listener;
      },
    };
    const ring = openCommitBell(workers, () => {
      rung++;
    });
    ring();
    assert.equal(told, 1);
    ring();
    ring();
    mock.timers.tick(4);
    assert.equal(told, 1);
    mock.timers.tick(1);
    assert.equal(told, 2);
    mock.timers.tick(5);
    assert.equal(told, 2, "nothing has come since");
    ring();
    assert.equal(told, 3);
    onTold();
    assert.equal(rung, 1);
  } finally {
    mock.timers.reset();
  }
});
