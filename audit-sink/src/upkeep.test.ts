import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "@gatehouse/component-base/logs";
import { SinkLog } from "./sink-log.js";
import { Upkeep } from "./upkeep.js";

test("a task that fails keeps no other from being done, is logged, and is done again", async () => {
  const lines: string[] = [];
  const logger = createLogger({ name: "test", format: "text", level: "info", write: (line) => lines.push(line) });
  const done: string[] = [];
  const upkeep = new Upkeep({
    sinkLog: new SinkLog(logger),
    intervalMs: 1,
    tasks: [
      async () => {
        done.push("save");
        throw new Error("no space");
      },
      async () => {
        done.push("delete");
      },
    ],
  });
  for (const end = performance.now() + 60_000; done.length < 4; ) {
    assert.ok(performance.now() < end, done.join());
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await upkeep.stop();
  assert.deepEqual(done.slice(0, 4), ["save", "delete", "save", "delete"]);
  assert.match(lines[0] ?? "", /the upkeep of the log failed, and will be tried again.*no space/);
});
