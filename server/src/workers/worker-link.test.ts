import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import type { FromWorker } from "./messages.js";
import { type ParentChannel, WorkerLink } from "./worker-link.js";

/** A channel to a parent that has just been killed: a message fails, by an event unless the sender takes the error itself. */
class BrokenChannel extends EventEmitter implements ParentChannel {
  readonly send: NonNullable<ParentChannel["send"]> = (_message: FromWorker, _handle, _options, done) => {
    const error = new Error("write EPIPE");
    if (done === undefined) {
      this.emit("error", error);
    } else {
      done(error);
    }
  };
}

test("a message to a parent that was killed is no uncaught error, and its end is told once", () => {
  const channel = new BrokenChannel();
  let orphaned = 0;
  const link = new WorkerLink({ number: 1, count: 2 }, channel, {
    heartbeat: { everyMs: 60_000, beats: 3 },
    onOrphaned: () => orphaned++,
    onHung: () => assert.fail("the parent has not hung"),
  });
  link.tell("a topic");
  link.serving();
  assert.equal(orphaned, 0);
  channel.emit("disconnect");
  assert.equal(orphaned, 1);
  link.leave();
});
