import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { seededRandom } from "@gatehouse/testing/store-contract";
import { isLinearizable } from "./brute-force.js";
import { checkRegister } from "./check-register.js";
import type { RegisterOperation } from "./register-operation.js";

type Told = Pick<RegisterOperation, "kind" | "outcome" | "value" | "expected" | "version">;

/** An operation between two points of time. */
function at(calledAt: number, returnedAt: number, told: Told): RegisterOperation {
  return { calledAt, returnedAt, ...told };
}

const create = (value: string, version: number): Told => ({ kind: "create", outcome: "ok", value, version });
const update = (expected: number, value: string, version: number): Told => {
  return { kind: "update", outcome: "ok", expected, value, version };
};
const get = (value: string, version: number): Told => ({ kind: "get", outcome: "ok", value, version });
const getMissing: Told = { kind: "get", outcome: "missing" };
const deleted: Told = { kind: "delete", outcome: "ok" };
const lostCreate = (value: string): Told => ({ kind: "create", outcome: "unknown", value });
const lostUpdate = (expected: number, value: string): Told => ({ kind: "update", outcome: "unknown", expected, value });
const lostDelete: Told = { kind: "delete", outcome: "unknown" };

/** Operations one after the other. */
function inTurn(...told: readonly Told[]): RegisterOperation[] {
  return told.map((one, index) => at(2 * index, 2 * index + 1, one));
}

const right: readonly (readonly [string, readonly RegisterOperation[]])[] = [
  ["the life of an object", inTurn(getMissing, create("a", 5), get("a", 5), update(5, "b", 9), deleted, getMissing)],
  [
    "a read that overlaps a write and still sees the old value",
    [at(0, 1, create("a", 5)), at(2, 9, update(5, "b", 6)), at(3, 4, get("a", 5)), at(5, 6, get("b", 6))],
  ],
  [
    "two updates of one version of which one loses",
    [
      at(0, 1, create("a", 5)),
      at(2, 9, update(5, "b", 6)),
      at(3, 8, { kind: "update", outcome: "conflict", expected: 5, value: "c" }),
    ],
  ],
  ["a write without an answer that has happened", inTurn(create("a", 5), lostUpdate(5, "b"), get("b", 7))],
  ["a write without an answer that has not happened", inTurn(create("a", 5), lostUpdate(5, "b"), get("a", 5))],
  [
    "a write without an answer that happens later",
    inTurn(create("a", 5), lostUpdate(5, "b"), get("a", 5), get("b", 7), update(7, "c", 8)),
  ],
  [
    "an object that a lost creation made and nobody has read",
    inTurn(lostCreate("a"), { kind: "create", outcome: "conflict", value: "b" }, deleted, getMissing),
  ],
  [
    "a deletion without an answer, and a new object",
    inTurn(create("a", 5), lostDelete, getMissing, create("b", 8), get("b", 8)),
  ],
];

const wrong: readonly (readonly [string, readonly RegisterOperation[]])[] = [
  ["a stale read", inTurn(create("a", 5), update(5, "b", 6), get("a", 5))],
  ["a read that misses an object", inTurn(create("a", 5), getMissing)],
  ["a read that goes back", inTurn(create("a", 5), lostUpdate(5, "b"), get("b", 6), get("a", 5))],
  ["a lost update", inTurn(create("a", 5), update(5, "b", 6), update(5, "c", 7))],
  ["an acknowledged creation that is lost", inTurn(create("a", 5), create("b", 6))],
  ["a deleted object that reappears", inTurn(create("a", 5), deleted, getMissing, get("a", 5))],
  ["a lost write that happens twice", inTurn(lostCreate("a"), get("a", 5), deleted, getMissing, get("a", 5))],
  ["a write that takes effect before it is called", inTurn(get("a", 5), create("a", 5))],
  [
    "a conflict although the version was the right one",
    inTurn(create("a", 5), { kind: "update", outcome: "conflict", expected: 5, value: "b" }, get("a", 5)),
  ],
  ["versions that go back", inTurn(create("a", 5), update(5, "b", 4))],
  ["a value with two versions", inTurn(create("a", 5), get("a", 6))],
  ["a value that nobody has written", inTurn(create("a", 5), get("b", 6))],
  ["a deletion of nothing", inTurn(deleted)],
  [
    "two deletions of one object",
    [at(0, 1, create("a", 5)), at(2, 9, deleted), at(3, 8, deleted), at(10, 11, getMissing)],
  ],
];

describe("the checker of registers", () => {
  for (const [name, history] of right) {
    it(`accepts ${name}`, () => {
      assert.deepEqual(checkRegister(history), { linearizable: true });
      assert.ok(isLinearizable(history));
    });
  }

  for (const [name, history] of wrong) {
    it(`refuses ${name}`, () => {
      const verdict = checkRegister(history);
      assert.ok(!verdict.linearizable && verdict.decided);
      assert.ok(!isLinearizable(history));
    });
  }

  it("agrees with a search of all orders on small histories, with and without a fault", () => {
    const random = seededRandom(20);
    const verdicts = { right: 0, wrong: 0 };
    for (let round = 0; round < 6000; round++) {
      const history = simulate(random, 3, 6);
      if (round % 2 === 1) {
        spoil(history, random);
      }
      const { linearizable } = checkRegister(history);
      assert.equal(linearizable, isLinearizable(history), JSON.stringify(history));
      verdicts[linearizable ? "right" : "wrong"]++;
    }
    assert.ok(verdicts.right > 1000 && verdicts.wrong > 300, JSON.stringify(verdicts));
  });

  it("accepts long histories of many clients and many unknown outcomes, and finds one stale read in them", () => {
    const random = seededRandom(7);
    const history = simulate(random, 16, 3000);
    assert.ok(history.filter(({ outcome }) => outcome === "unknown").length > 50);
    assert.deepEqual(checkRegister(history), { linearizable: true });
    const reads = history.filter(({ kind, outcome }) => kind === "get" && outcome === "ok");
    const early = reads[100] as RegisterOperation;
    const end = history.length * 4;
    const verdict = checkRegister([...history, at(end, end + 1, get(early.value as string, early.version as number))]);
    assert.ok(!verdict.linearizable && verdict.decided);
    assert.match(verdict.explanation, /none of these can come next/);
  });

  it("says that it has not decided when the search grows too large", () => {
    const verdict = checkRegister(inTurn(create("a", 5), update(5, "b", 6), get("a", 5)), 1);
    assert.ok(!verdict.linearizable && !verdict.decided);
  });
});

/** Runs clients against one register; each operation takes effect at a point between its call and its return. */
function simulate(random: (below: number) => number, clients: number, operations: number): RegisterOperation[] {
  const history: RegisterOperation[] = [];
  let register: { value: string; version: number } | undefined;
  let version = 1;
  let lastSeen = 0;
  let time = 0;
  const running: { told: Told; calledAt: number; isDone: boolean }[] = [];
  const takeEffect = ({ kind, expected, value }: Told): Told => {
    const isMissing = register === undefined && kind !== "create";
    const isConflict =
      register !== undefined && (kind === "create" || (expected !== undefined && expected !== register.version));
    if (isMissing || isConflict) {
      return { kind, expected, value: kind === "get" ? undefined : value, outcome: isMissing ? "missing" : "conflict" };
    }
    if (kind === "get") {
      lastSeen = register?.version ?? 0;
      return { kind, outcome: "ok", ...register };
    }
    version += 1 + random(3);
    register = kind === "delete" ? undefined : { value: value as string, version };
    return kind === "delete" ? { kind, expected, outcome: "ok" } : { kind, expected, value, outcome: "ok", version };
  };
  for (let called = 0; called < operations || running.length > 0; time++) {
    if (running.length < clients && called < operations && random(2) === 0) {
      const kind = (["create", "update", "delete", "get", "get"] as const)[random(5)] as Told["kind"];
      const isDemanding = (kind === "update" || kind === "delete") && random(3) > 0;
      const value = kind === "create" || kind === "update" ? `v${called}` : undefined;
      called++;
      const told = { kind, value, expected: isDemanding ? lastSeen : undefined, outcome: "unknown" } as const;
      running.push({ told, calledAt: time, isDone: false });
      continue;
    }
    const index = random(running.length);
    const one = running[index];
    if (one === undefined) {
      continue;
    }
    if (random(100) === 0) {
      // The answer is lost, before or after the operation has taken effect.
      if (!one.isDone && random(2) === 0) {
        takeEffect(one.told);
      }
      const { kind, expected } = one.told;
      const value = kind === "get" ? undefined : one.told.value;
      history.push(at(one.calledAt, time, { kind, expected, value, outcome: "unknown" }));
      running.splice(index, 1);
    } else if (one.isDone) {
      history.push(at(one.calledAt, time, one.told));
      running.splice(index, 1);
    } else {
      one.told = takeEffect(one.told);
      one.isDone = true;
    }
  }
  return history;
}

/** Changes one operation so that the history may be wrong. */
function spoil(history: RegisterOperation[], random: (below: number) => number): void {
  const index = random(history.length);
  const operation = history[index] as RegisterOperation;
  const outcomes = ["ok", "missing", "conflict"] as const;
  switch (random(3)) {
    case 0:
      if (operation.kind === "get" || operation.kind === "delete") {
        history[index] = { ...operation, value: undefined, version: undefined, outcome: "missing" };
      }
      break;
    case 1:
      if (operation.kind === "delete" || operation.outcome === "conflict" || operation.outcome === "missing") {
        const outcome = operation.kind === "delete" ? (outcomes[random(3)] as "ok") : "missing";
        history[index] = { ...operation, outcome };
      }
      break;
    default: {
      // The operation happened somewhat earlier or later than it says.
      const by = (random(2) === 0 ? -1 : 1) * (operation.returnedAt - operation.calledAt + 1 + random(6));
      history[index] = { ...operation, calledAt: operation.calledAt + by, returnedAt: operation.returnedAt + by };
    }
  }
}
