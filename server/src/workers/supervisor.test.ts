import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createLogger } from "@gatehouse/component-base/logs";
import { type HeartbeatTimes, heartbeatTimes } from "./heartbeat.js";
import { Supervisor } from "./supervisor.js";

/**
 * A program that serves nothing. Its arguments say what it does: `serve` serves, `serve-once` serves unless a file says
 * that it has done so before, `hang-once` serves but never starts to when its number is 2, unless the file is there. `ask`
 * serves as number 1 and hangs as number 2, whose start number 1 learns of; it asks the others then, and writes what it is
 * told of them to the file.
 */
const program = `
  const { existsSync, writeFileSync } = require("node:fs");
  const [, place, what, file] = process.argv.slice(2);
  process.on("disconnect", () => process.exit());
  if (what === "fail" || (what === "serve-once" && place.startsWith("2/") && existsSync(file))) {
    process.exit(1);
  }
  const isFirstOfItsPlace = !existsSync(file);
  if (place.startsWith("2/")) {
    writeFileSync(file, "");
    while (what === "hang-once" && isFirstOfItsPlace);
  }
  process.on("message", ({ type, topic, id, body }) => {
    if (type === "fact") process.send({ type: "ask", id: 1, topic: "t", body: null, to: "others" });
    if (type === "answer") writeFileSync(file, JSON.stringify(body));
    if (type === "listening") process.send({ type: "serving" });
    if (type === "stop") process.exit(what === "end-badly" ? 3 : 0);
    if (type === "beat") process.send({ type: "alive" });
    if (type === "ask") process.send({ type: "answer", id, body: "# HELP a_total A.\\n# TYPE a_total counter\\na_total 2\\n" });
  });
  if (what === "ask" && place.startsWith("2/")) {
    process.send({ type: "fact", name: "starts" }, () => { for (;;); });
  } else {
    process.send({ type: "listen", host: "127.0.0.1", port: 0 });
  }
`;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-supervisor-"));
  await writeFile(join(folder, "worker.cjs"), program);
});
after(() => rm(folder, { recursive: true }));

/** Long enough for a machine that is busy with something else; tests of hung workers take their own. */
const patient = heartbeatTimes(600_000);

function supervise(...argv: string[]) {
  return superviseWith(patient, ...argv);
}

function superviseWith(heartbeat: HeartbeatTimes, ...argv: string[]) {
  const lines: string[] = [];
  const write = (line: string): void => {
    lines.push(line);
  };
  const supervisor = new Supervisor({
    count: 2,
    program: { script: join(folder, "worker.cjs"), argv },
    logger: createLogger({ name: "test", format: "text", write }),
    firstRetryMs: 1,
    heartbeat,
  });
  return { supervisor, lines };
}

async function untilLogged(lines: readonly string[], text: string): Promise<string> {
  for (;;) {
    const found = lines.find((line) => line.includes(text));
    if (found !== undefined) {
      return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("a server whose first worker cannot start fails, and is not tried again", async () => {
  const { supervisor, lines } = supervise("fail");
  await assert.rejects(supervisor.serving, /the first worker could not start/);
  assert.deepEqual(lines, [], "the worker has said why");
  await supervisor.stop(new AbortController().signal);
});

test("a worker that cannot be started five times in a row ends the server", async () => {
  const { supervisor, lines } = supervise("serve-once", join(folder, "served"));
  await supervisor.serving;
  const [, pid] = /worker=2 pid=(\d+)/.exec(await untilLogged(lines, "a worker serves worker=2")) ?? [];
  process.kill(Number(pid), "SIGKILL");
  await new Promise((resolve) => supervisor.failed.addEventListener("abort", resolve));
  const ends = lines.filter((line) => line.includes("a worker has ended"));
  assert.equal(ends.length, 6);
  assert.match(
    lines.at(-1) ?? "",
    /a worker could not start several times in a row; the server ends worker=2 failures=5/,
  );
  await assert.rejects(supervisor.stop(new AbortController().signal), /not every worker has ended well/);
});

test("another worker runs the controllers when the one that did has ended, and its place is filled", async () => {
  const { supervisor, lines } = supervise("serve", join(folder, "leading"));
  await supervisor.serving;
  const [, pid] = /worker=1 pid=(\d+)/.exec(await untilLogged(lines, "a worker serves worker=1")) ?? [];
  await untilLogged(lines, "a worker serves worker=2");
  process.kill(Number(pid), "SIGKILL");
  await untilLogged(lines, "a worker runs the controllers worker=2");
  lines.length = 0;
  await untilLogged(lines, "a worker serves worker=1");
  assert.equal(
    lines.some((line) => line.includes("a worker runs the controllers worker=1")),
    false,
  );
  await supervisor.stop(new AbortController().signal);
});

test("a worker that does not end well is told of at the end", async () => {
  const { supervisor } = supervise("end-badly", join(folder, "badly"));
  await supervisor.serving;
  await assert.rejects(supervisor.stop(new AbortController().signal), /not every worker has ended well/);
});

test("a worker that is stopped is killed and replaced, and another one runs the controllers", async () => {
  const { supervisor, lines } = superviseWith(heartbeatTimes(2000), "serve", join(folder, "stopped"));
  await supervisor.serving;
  const [, pid] = /worker=1 pid=(\d+)/.exec(await untilLogged(lines, "a worker serves worker=1")) ?? [];
  await untilLogged(lines, "a worker serves worker=2");
  process.kill(Number(pid), "SIGSTOP");
  assert.match(await untilLogged(lines, "a worker has hung"), new RegExp(`worker=1 pid=${pid}`));
  await untilLogged(lines, "a worker has ended; another one takes its place worker=1");
  await untilLogged(lines, "a worker runs the controllers worker=2");
  lines.length = 0;
  await untilLogged(lines, "a worker serves worker=1");
  await supervisor.stop(new AbortController().signal);
});

test("a worker that hangs while it starts is replaced", async () => {
  const { supervisor, lines } = superviseWith(heartbeatTimes(600), "hang-once", join(folder, "hung"));
  await supervisor.serving;
  await untilLogged(lines, "a worker has hung, and is ended worker=2");
  await untilLogged(lines, "a worker serves worker=2");
  await supervisor.stop(new AbortController().signal);
});

test("a worker that still starts is not waited for by who asks the others", async () => {
  const answer = join(folder, "answer");
  const { supervisor } = supervise("ask", answer);
  await supervisor.serving;
  let told = "";
  while (told === "") {
    await new Promise((resolve) => setTimeout(resolve, 5));
    told = await readFile(answer, "utf8").catch(() => "");
  }
  await supervisor.stop(new AbortController().signal);
  assert.deepEqual(JSON.parse(told), { answers: [], missing: 0 });
});
