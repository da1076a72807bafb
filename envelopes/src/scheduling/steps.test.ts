import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { finishSteps, runSteps, type StepContext, type Steps, startSteps, type WaitingSteps } from "./steps.js";

/** Work of two steps that notes each of them. */
function* twoSteps(done: string[]): Steps<string> {
  done.push("first");
  yield;
  done.push("second");
  return "result";
}

function contextOf(yieldToOthers: StepContext["yield"], signal = new AbortController().signal): StepContext {
  return { signal, yield: yieldToOthers };
}

describe("Work in steps", () => {
  test("lets other work run after each step, and returns its result", async () => {
    const done: string[] = [];
    const context = contextOf(async () => {
      done.push("others");
    });
    assert.equal(await runSteps(context, twoSteps(done)), "result");
    assert.deepEqual(done, ["first", "others", "second", "others"]);
  });

  test("goes no further when nobody needs the result any more", async () => {
    const done: string[] = [];
    const gone = new Error("the client has gone away");
    await assert.rejects(
      runSteps(
        contextOf(() => Promise.reject(gone)),
        twoSteps(done),
      ),
      gone,
    );
    assert.deepEqual(done, ["first"]);
  });

  test("returns its result without a promise while no other work runs, and with one otherwise", async () => {
    const done: string[] = [];
    assert.equal(
      startSteps(
        contextOf(() => undefined),
        twoSteps(done),
      ),
      "result",
    );
    assert.deepEqual(done, ["first", "second"]);
    const divided: string[] = [];
    const context = contextOf(async () => {
      divided.push("others");
    });
    const started = startSteps(context, twoSteps(divided));
    assert.ok(started instanceof Promise);
    assert.equal(await started, "result");
    assert.deepEqual(divided, ["first", "others", "second", "others"]);
  });

  test("started for somebody who has gone, ends after its first step", async () => {
    const done: string[] = [];
    const gone = new Error("the client has gone away");
    const context = contextOf(() => Promise.reject(gone));
    await assert.rejects(Promise.resolve(startSteps(context, twoSteps(done))), gone);
    assert.deepEqual(done, ["first"]);
  });

  test("is finished at once where that is asked for", () => {
    const done: string[] = [];
    assert.equal(finishSteps(twoSteps(done)), "result");
    assert.deepEqual(done, ["first", "second"]);
  });
});

describe("A wait in the midst of work", () => {
  /** Work that waits for an answer, and returns its error as a text if there is one. */
  function* waiting(wait: (signal: AbortSignal) => Promise<void>): WaitingSteps<string> {
    try {
      yield wait;
      return "answered";
    } catch (error) {
      return `failed: ${(error as Error).message}`;
    }
  }

  test("ends before the next step, and gets the signal of the context", async () => {
    const context = contextOf(() => undefined);
    let seen: AbortSignal | undefined;
    const result = await runSteps(
      context,
      waiting(async (signal) => {
        await Promise.resolve();
        seen = signal;
      }),
    );
    assert.equal(result, "answered");
    assert.equal(seen, context.signal);
  });

  test("throws its error into the work", async () => {
    const failure = waiting(() => Promise.reject(new Error("no answer")));
    assert.equal(
      await runSteps(
        contextOf(() => undefined),
        failure,
      ),
      "failed: no answer",
    );
  });

  test("ends the work when the signal aborts", async () => {
    const controller = new AbortController();
    const gone = new Error("the client has gone away");
    const aborting = waiting(() => {
      controller.abort(gone);
      return Promise.reject(new Error("no answer"));
    });
    await assert.rejects(
      runSteps(
        contextOf(() => undefined, controller.signal),
        aborting,
      ),
      gone,
    );
  });
});
