import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowTurns } from "./flow-turns.js";
import type { LevelFlow } from "./level-state.js";
import { queueingLevel, schemaOf, TestLevels } from "./test-levels.test.support.js";

/** Turns whose rounds a test begins, and in which a request takes a tenth of a millisecond. */
class TestTurns {
  nowMs = 1000;
  readonly ran: string[] = [];
  #tasks: (() => void)[] = [];
  readonly turns = new FlowTurns(
    () => this.nowMs,
    (task) => this.#tasks.push(task),
  );

  request(flow: LevelFlow, name: string): void {
    if (this.turns.mayRun(flow, this.nowMs)) {
      this.#run(name);
    } else {
      this.turns.wait(flow, () => this.#run(name));
    }
  }

  round(): void {
    const tasks = this.#tasks;
    this.#tasks = [];
    for (const task of tasks) {
      task();
    }
  }

  /** True if nothing is scheduled for the next round. */
  get isDone(): boolean {
    return this.#tasks.length === 0;
  }

  #run(name: string): void {
    this.nowMs += 0.1;
    this.ran.push(name);
  }
}

function flowsOf(...users: readonly string[]): readonly LevelFlow[] {
  const levels = new TestLevels(100);
  levels.configure(queueingLevel("all", 64, 50));
  return users.map((username) =>
    levels.levels.classify({ username, groups: ["system:authenticated"] }, levels.start(username).request.info),
  );
}

test("the requests of a flow that is alone never wait", () => {
  const [only] = flowsOf("a") as [LevelFlow];
  const turns = new TestTurns();
  for (let index = 0; index < 1000; index++) {
    turns.request(only, `a${index}`);
  }
  assert.equal(turns.ran.length, 1000);
});

test("while flows compete, requests beyond the slice of a round wait, and flows take turns", () => {
  const [greedy, modest] = flowsOf("greedy", "modest") as [LevelFlow, LevelFlow];
  const turns = new TestTurns();
  turns.request(modest, "modest 0");
  for (let index = 0; index < 100; index++) {
    turns.request(greedy, `greedy ${index}`);
  }
  turns.request(modest, "modest 1");
  const before = turns.ran.length;
  assert.ok(before < 10, `${before} requests ran in one round`);
  assert.ok(!turns.ran.includes("modest 1"));
  turns.round();
  assert.ok(turns.ran.slice(before, before + 2).includes("modest 1"));
});

test("every request that waits gets its turn", () => {
  const [one, other] = flowsOf("one", "other") as [LevelFlow, LevelFlow];
  const turns = new TestTurns();
  for (let index = 0; index < 50; index++) {
    turns.request(one, `one ${index}`);
    turns.request(other, `other ${index}`);
  }
  for (let round = 0; round < 100; round++) {
    turns.round();
  }
  assert.equal(new Set(turns.ran).size, 100);
  const ofOne = turns.ran.filter((name) => name.startsWith("one"));
  assert.deepEqual(
    ofOne,
    Array.from({ length: 50 }, (_none, index) => `one ${index}`),
  );
});

test("the clients of a crowded flow are left unread after an answer, and all are read again in order", () => {
  const [greedy, modest] = flowsOf("greedy", "modest") as [LevelFlow, LevelFlow];
  const turns = new TestTurns();
  turns.request(modest, "modest");
  const unread: string[] = [];
  const readAgain: string[] = [];
  const answer = (flow: LevelFlow, client: string): void =>
    turns.turns.pace(flow, () => {
      unread.push(client);
      return () => readAgain.push(client);
    });
  answer(greedy, "nobody waits");
  for (let index = 0; index < 40; index++) {
    turns.request(greedy, `greedy ${index}`);
  }
  for (let index = 0; index < 30; index++) {
    answer(greedy, `client ${index}`);
    answer(modest, "not crowded");
  }
  const clients = Array.from({ length: 30 }, (_none, index) => `client ${index}`);
  assert.deepEqual(unread, clients);
  turns.round();
  assert.deepEqual(readAgain, [], "as many requests wait as before");
  for (let round = 0; round < 100; round++) {
    turns.round();
  }
  assert.deepEqual(readAgain, clients);
  assert.equal(turns.isDone, true);
});

test("while clients are left unread, other flows wait for a shorter slice", () => {
  const [greedy, modest] = flowsOf("greedy", "modest") as [LevelFlow, LevelFlow];
  const turns = new TestTurns();
  turns.request(modest, "modest");
  for (let index = 0; index < 40; index++) {
    turns.request(greedy, `greedy ${index}`);
  }
  const runInRound = (): number => {
    const before = turns.ran.length;
    turns.round();
    return turns.ran.length - before;
  };
  const before = runInRound();
  for (let index = 0; index < 40; index++) {
    turns.turns.pace(greedy, () => () => {});
  }
  assert.ok(runInRound() < before);
});

test("every request of thousands of flows gets its turn, also of flows that were idle for so long that they are forgotten", () => {
  const users = Array.from({ length: 3000 }, (_none, index) => `user ${index}`);
  const flows = flowsOf(...users);
  const turns = new TestTurns();
  const requested: string[] = [];
  for (const time of ["first", "second"]) {
    // A batch waits together, and is idle while the others do.
    for (let start = 0; start < flows.length; start += 600) {
      for (const [index, flow] of flows.slice(start, start + 600).entries()) {
        const name = `${time} ${users[start + index]}`;
        requested.push(name);
        turns.request(flow, name);
      }
      for (let round = 0; round < 3000 && !turns.isDone; round++) {
        turns.round();
      }
      assert.equal(turns.isDone, true);
    }
  }
  assert.deepEqual(turns.ran, requested);
});

test("a request that gives up is not run", () => {
  const [one, other] = flowsOf("one", "other") as [LevelFlow, LevelFlow];
  const turns = new TestTurns();
  turns.request(one, "first");
  turns.request(other, "second");
  const leave = turns.turns.wait(other, () => turns.ran.push("never"));
  leave();
  leave();
  turns.round();
  turns.round();
  assert.deepEqual(turns.ran, ["first", "second"]);
});

test("levels take turns: one with many flows does not hold up one with few", () => {
  const levels = new TestLevels(100);
  levels.levels.configure(
    [queueingLevel("busy", 64, 50), queueingLevel("quiet", 64, 50)],
    [schemaOf("busy"), { ...schemaOf("quiet", 1), matches: ({ username }) => username === "quiet" }],
  );
  const flowOf = (username: string): LevelFlow =>
    levels.levels.classify({ username, groups: ["system:authenticated"] }, levels.start(username).request.info);
  const turns = new TestTurns();
  turns.request(flowOf("quiet"), "quiet 0");
  for (let index = 0; index < 100; index++) {
    turns.request(flowOf(`busy ${index}`), `busy ${index}`);
  }
  turns.request(flowOf("quiet"), "quiet 1");
  const before = turns.ran.length;
  turns.round();
  assert.ok(turns.ran.slice(before, before + 2).includes("quiet 1"));
});
