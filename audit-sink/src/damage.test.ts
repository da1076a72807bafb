import assert from "node:assert/strict";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type LogFields, type Logger, silentLogger } from "@gatehouse/component-base/logs";
import { auditEvent, eventList, sinkConfig, testFolder, testSink, until } from "./sink.test.support.js";

const folder = await testFolder();

/** Flips a bit of the length of the n-th frame of a segment. */
async function damageFrame(segment: string, n: number): Promise<void> {
  const bytes = await readFile(segment);
  let at = 64;
  for (let i = 0; i < n; i++) {
    at += bytes.readUInt32LE(at);
  }
  bytes[at] = (bytes[at] as number) ^ 1;
  await writeFile(segment, bytes);
}

for (const [place, damaged] of [
  ["middle", 1],
  ["last", 2],
] as const) {
  test(`a sink whose ${place} batch is damaged says so, and delivers and finds everything else`, async () => {
    const output = join(folder.path, `${place}.jsonl`);
    const indexDirectory = join(folder.path, `${place}-index`);
    const config = await sinkConfig(folder, {
      pipelines: [{ name: "file", batching: { maxWait: "1ms" }, output: { file: { path: output } } }],
      index: { directory: indexDirectory },
    });
    const { directory } = config.log;
    {
      await using sink = await testSink(folder, config);
      for (const n of [0, 1, 2]) {
        assert.equal((await sink.post(eventList([auditEvent(n)]))).status, 200);
      }
    }
    const [segment] = (await readdir(directory)).filter((name) => name.endsWith(".segment")) as [string];
    await damageFrame(join(directory, segment), damaged);
    // A new pipeline and a new index read everything from the beginning.
    await rm(join(directory, "pipelines"), { recursive: true });
    await rm(indexDirectory, { recursive: true });
    await rm(output);
    const errors: (readonly [string, LogFields | undefined])[] = [];
    const logger: Logger = { ...silentLogger, error: (message, fields) => void errors.push([message, fields]) };
    await using sink = await testSink(folder, config, logger);
    assert.equal((await sink.post(eventList([auditEvent(3)]))).status, 200);
    const [message, fields] = errors[0] ?? [];
    const { path, position, endPosition } = fields ?? {};
    assert.deepEqual(
      [message, path, position, endPosition],
      ["the log is damaged; what is left of it is kept", join(directory, segment), damaged, damaged + 1],
    );
    assert.match((await sink.get("/metrics")).body, /^gatehouse_audit_sink_log_damaged_events 1$/m);
    const whole = [0, 1, 2, 3].filter((n) => n !== damaged).map((n) => auditEvent(n)["auditID"]);
    const delivered = async () => (await readFile(output, "utf8").catch(() => "")).split("\n").slice(0, -1);
    // The sink's own event tells of the damage.
    await until(async () => (await delivered()).length === whole.length + 1);
    const events = (await delivered()).map((line) => JSON.parse(line));
    const own = events.filter(({ user }) => user.username === "system:audit-sink");
    assert.deepEqual(
      events.filter((event) => !own.includes(event)).map(({ auditID }) => auditID),
      whole,
    );
    assert.deepEqual(
      own.map(({ verb, annotations }) => [verb, annotations]),
      [
        [
          "damage",
          {
            "audit.gatehouse.dev/file": segment,
            "audit.gatehouse.dev/first": String(damaged),
            "audit.gatehouse.dev/last": String(damaged),
          },
        ],
      ],
    );
    await until(async () => {
      const { items } = JSON.parse((await sink.get("/api/events?limit=100")).body);
      return items.length === whole.length + 1;
    });
  });
}
