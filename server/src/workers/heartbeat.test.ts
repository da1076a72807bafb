import assert from "node:assert/strict";
import { test } from "node:test";
import { type Beating, heartbeatTimes, isSilent, nextBeat } from "./heartbeat.js";

const times = heartbeatTimes(6000);

class Worker implements Beating {
  unansweredBeats = 0;
  readonly isServing: boolean;
  readonly #answers: () => boolean;

  constructor(isServing: boolean, answers: () => boolean) {
    this.isServing = isServing;
    this.#answers = answers;
  }

  beat(): void {
    if (this.#answers()) {
      this.unansweredBeats = 0;
    }
  }
}

function beatsUntilHung(...workers: readonly Worker[]): { readonly beats: number; readonly hung: Worker } {
  for (let beats = 1; beats < 100; beats++) {
    const hung = nextBeat(workers, times);
    if (hung !== undefined) {
      return { beats, hung };
    }
  }
  throw new Error("no worker has hung");
}

test("a worker that answers no beat is hung after the stated number of beats, and gets no connections before that", () => {
  const [well, stopped] = [new Worker(true, () => true), new Worker(true, () => false)];
  nextBeat([well, stopped], times);
  assert.equal(isSilent(stopped), false, "one beat may be missed by a busy worker");
  const { beats, hung } = beatsUntilHung(well, stopped);
  assert.equal(hung, stopped);
  assert.equal(beats, times.beats);
  assert.deepEqual([isSilent(stopped), isSilent(well)], [true, false]);
});

test("a worker that starts has four times as long", () => {
  assert.equal(beatsUntilHung(new Worker(false, () => false)).beats, 4 * times.beats + 1);
});

test("a worker that has waited for a hung one is spared once that one has ended", () => {
  let isHeld = true;
  const [holder, waiting] = [new Worker(true, () => false), new Worker(true, () => !isHeld)];
  nextBeat([holder], times);
  assert.equal(beatsUntilHung(waiting, holder).hung, holder);
  isHeld = false;
  for (let beat = 0; beat < 3 * times.beats; beat++) {
    assert.equal(nextBeat([waiting], times), undefined);
  }
});
