import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type DrainTask, runUntilSignal } from "./run-until-signal.js";

/** Stands for an end without an exit code. */
const killed = -1;

/** Ends like a process: `exit` is recorded, and code after it does not matter. */
function fakeProcess() {
  const emitter = new EventEmitter();
  const exitCodes: number[] = [];
  return Object.assign(emitter, {
    exitCodes,
    exit(code: number) {
      exitCodes.push(code);
      emitter.emit("exited");
    },
    endAtOnce() {
      exitCodes.push(killed);
      emitter.emit("exited");
    },
    endAfter: () => ({ [Symbol.dispose]() {} }),
  });
}

function recordingTask(name: string, log: string[], drain: DrainTask["drain"] = () => {}): DrainTask {
  return {
    name,
    drain: async (signal) => {
      await drain(signal);
      log.push(name);
    },
  };
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} drains in reverse order and exits with 0`, async () => {
    const process = fakeProcess();
    const log: string[] = [];
    const tasks = [recordingTask("store", log), recordingTask("listener", log, () => sleep(5))];
    const done = runUntilSignal({ process, tasks, deadlineMs: 5000 });
    tasks.push(recordingTask("late", log));
    process.emit(signal);
    await done;
    assert.deepEqual(log, ["late", "listener", "store"]);
    assert.deepEqual(process.exitCodes, [0]);
    assert.equal(process.listenerCount(signal), 0);
  });
}

test("a second signal ends the process at once", async () => {
  const process = fakeProcess();
  void runUntilSignal({
    process,
    tasks: [{ name: "slow", drain: () => sleep(50) }],
    deadlineMs: 5000,
  });
  process.emit("SIGTERM");
  const exited = once(process, "exited");
  process.emit("SIGINT");
  await exited;
  assert.deepEqual(process.exitCodes, [killed]);
});

test("a Ctrl-C that arrives twice is one, and a later one is a second", async () => {
  const process = fakeProcess();
  let time = 1000;
  const tasks = [{ name: "slow", drain: () => sleep(50) }];
  void runUntilSignal({ process, tasks, deadlineMs: 5000, now: () => time });
  process.emit("SIGINT");
  time += 20;
  process.emit("SIGINT");
  assert.deepEqual(process.exitCodes, []);
  time += 1000;
  process.emit("SIGINT");
  assert.deepEqual(process.exitCodes, [killed]);
  await once(process, "exited");
});

test("a task that fails or hangs does not keep the others from being closed", async () => {
  const process = fakeProcess();
  const log: string[] = [];
  const tasks = [
    recordingTask("store", log),
    recordingTask("hanging", log, () => new Promise(() => {})),
    recordingTask("failing", log, () => Promise.reject(new Error("broken"))),
  ];
  const done = runUntilSignal({ process, tasks, deadlineMs: 10 });
  process.emit("SIGTERM");
  await done;
  assert.deepEqual(log, ["store"]);
  assert.deepEqual(process.exitCodes, [killed]);
});

test("a task that fails makes the exit code 1", async () => {
  const process = fakeProcess();
  const tasks = [{ name: "failing", drain: () => Promise.reject(new Error("broken")) }];
  await runUntilSignal({ process, tasks, deadlineMs: 5000, stop: AbortSignal.abort() });
  assert.deepEqual(process.exitCodes, [1]);
});

/** Runs a program that drains `drain` and asks for its own end. Resolves to how it ended. */
async function endOf(drain: string, deadlineMs: number): Promise<{ code: number | null; signal: string | null }> {
  const base = new URL(".", import.meta.url).href;
  const source = `
    import { runUntilSignal } from ${JSON.stringify(`${base}run-until-signal.js`)};
    import { thisProcess } from ${JSON.stringify(`${base}this-process.js`)};
    const tasks = [{ name: "task", drain: ${drain} }];
    await runUntilSignal({ process: thisProcess, tasks, deadlineMs: ${deadlineMs}, stop: AbortSignal.abort() });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: "ignore" });
  const [code, signal] = await once(child, "exit");
  return { code, signal };
}

test("a process whose main thread is busy for ever is ended by its watchdog", async () => {
  assert.deepEqual(await endOf("() => { for (;;); }", 10), { code: null, signal: "SIGKILL" });
});

test("a process that has drained in time exits with 0 and leaves no watchdog behind", async () => {
  assert.deepEqual(await endOf("() => undefined", 60_000), { code: 0, signal: null });
});

test("a process that has left a task behind is ended by a signal", async () => {
  assert.deepEqual(await endOf("() => new Promise(() => {})", 10), { code: null, signal: "SIGKILL" });
});

test("the deadline is handed to the task, which may end by itself", async () => {
  const process = fakeProcess();
  const log: string[] = [];
  const task = recordingTask("watches", log, async (signal) => {
    await once(signal, "abort");
  });
  const done = runUntilSignal({ process, tasks: [task], deadlineMs: 10 });
  process.emit("SIGTERM");
  await done;
  assert.deepEqual(log, ["watches"]);
  assert.deepEqual(process.exitCodes, [0]);
});

test("the process can ask for its own end", async () => {
  const process = fakeProcess();
  await runUntilSignal({ process, tasks: [], deadlineMs: 10, stop: AbortSignal.abort() });
  assert.deepEqual(process.exitCodes, [0]);
});
