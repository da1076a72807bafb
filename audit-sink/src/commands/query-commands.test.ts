import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { type CommandIo, runCommands } from "@gatehouse/component-base/commands";
import {
  auditEvent,
  eventList,
  eventTime,
  sinkConfig,
  type TestSink,
  testFolder,
  testSink,
  until,
} from "../sink.test.support.js";
import { commands } from "./commands.js";

const folder = await testFolder();

interface Outcome {
  readonly code: number;
  readonly lines: readonly string[];
  readonly errors: readonly string[];
}

describe("gatehouse-audit", () => {
  let sink: TestSink;
  let access: readonly string[];
  let policy: string;

  before(async () => {
    const token = join(folder.path, "token");
    await writeFile(token, "reader-token\n");
    const config = await sinkConfig(folder, {
      anyReader: false,
      readers: [{ name: "auditor", tokenFile: "token", commonNames: ["auditor"] }],
      // The events have dates that the tests name, and lie ever further back.
      index: { directory: await mkdtemp(join(folder.path, "index-")), retention: { maxAge: "1000000h" } },
    });
    sink = await testSink(folder, config);
    access = [
      ...["--server", `https://127.0.0.1:${sink.port}`],
      ...["--certificate-authority", join(folder.path, "ca.crt"), "--token-file", token],
    ];
    const events = Array.from({ length: 30 }, (_, n) =>
      auditEvent(n, {
        verb: n % 3 === 0 ? "create" : "get",
        user: { username: n % 2 === 0 ? "alice" : "bob\u001b[31m" },
        responseStatus: { metadata: {}, code: n % 3 === 0 ? 201 : 403 },
        requestReceivedTimestamp: `2026-01-01T00:00:${String(n).padStart(2, "0")}.000000Z`,
        stageTimestamp: `2026-01-01T00:00:${String(n).padStart(2, "0")}.000000Z`,
      }),
    );
    assert.equal((await sink.post(eventList(events))).status, 200);
    await until(async () => (await run("query", ...access, "-o", "json")).lines.length === 30);
    policy = join(folder.path, "policy.yaml");
    await writeFile(
      policy,
      "apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules:\n- level: None\n  verbs: [get]\n- level: Metadata\n",
    );
  });

  after(() => sink[Symbol.asyncDispose]());

  async function run(...argv: readonly string[]): Promise<Outcome> {
    const { io, lines, errors } = recordingIo();
    const code = await runCommands({ name: "gatehouse-audit", commands }, argv, io);
    return { code, lines, errors };
  }

  function recordingIo() {
    const lines: string[] = [];
    const errors: string[] = [];
    const signals = new EventEmitter();
    const io: CommandIo = {
      print: (line) => lines.push(line),
      printError: (line) => errors.push(line),
      process: Object.assign(signals, {
        exit: () => undefined,
        endAtOnce: () => undefined,
        endAfter: () => ({ [Symbol.dispose]() {} }),
      }),
      env: {},
    };
    return { io, lines, errors, signals };
  }

  test("query prints a table, newest first, in which no event moves the cursor", async () => {
    const { code, lines, errors } = await run("query", ...access, "--limit", "2", "--verb", "get");
    assert.deepEqual(errors, []);
    assert.equal(code, 0);
    assert.deepEqual(lines, [
      "TIME                      USER      VERB  RESOURCE    OBJECT         CODE  SENDER",
      "2026-01-01T00:00:29.000Z  bob�[31m  get   configmaps  default/cm-29  403   anyone",
      "2026-01-01T00:00:28.000Z  alice     get   configmaps  default/cm-28  403   anyone",
    ]);
  });

  test("query prints JSON lines, for others to read", async () => {
    const { lines } = await run("query", ...access, "-o", "events", "--user", "alice", "--code", "2*", "--all");
    const numbers = lines.map((line) => (JSON.parse(line) as { auditID: string }).auditID.slice(-2));
    assert.deepEqual(numbers, ["24", "18", "12", "06", "00"]);
    const [first = ""] = (await run("query", ...access, "-o", "json", "--name", "cm-7")).lines;
    assert.deepEqual(Object.keys(JSON.parse(first) as object), ["position", "sender", "event"]);
    assert.deepEqual(await run("query", ...access, "--user", "nobody"), { code: 0, lines: [], errors: ["no events"] });
  });

  test("stats prints counts", async () => {
    const { lines } = await run("stats", ...access, "--from", "2026-01-01", "--to", "2026-01-02", "--decision", "!x");
    assert.match(lines[0] ?? "", /^2026-01-01T00:00:00.000Z to 2026-01-02T00:00:00.000Z: 30 events, 14 KiB$/);
    assert.deepEqual(lines.slice(1, 12), [
      "",
      "VERB    EVENTS  SHARE",
      "get         20  66.7%",
      "create      10  33.3%",
      "",
      "OUTCOME  EVENTS  SHARE",
      "4xx          20  66.7%",
      "2xx          10  33.3%",
      "",
      "USER      EVENTS  SHARE",
      "alice         15  50.0%",
    ]);
    const json = await run("stats", ...access, "--from", "2026-01-01", "--to", "2026-01-02", "-o", "json");
    assert.equal((JSON.parse(json.lines.join("\n")) as { total: number }).total, 30);
  });

  test("simulate tells what a policy would have recorded, of a sink and of files alike", async () => {
    const kept = await run("simulate", policy, ...access);
    assert.equal(kept.code, 0);
    assert.deepEqual(kept.lines.slice(2, 5), [
      "RULE  LEVEL     FOR         MATCHED  EVENTS    BYTES  EVENTS/DAY  BYTES/DAY",
      "1     None      get              20       0      0 B           0        0 B",
      kept.lines[4],
    ]);
    assert.match(kept.lines[4] ?? "", /^2 {5}Metadata {2}everything {7}10 {6}10 {2}4\.\d KiB {6}29,793 {5}13 MiB$/);
    assert.match(kept.lines[7] ?? "", /^That is 33\.3% of the events and 3\d\.\d% of the bytes that were kept\.$/);
    const events = (await run("query", ...access, "-o", "events")).lines;
    const plain = join(folder.path, "audit.log");
    const packed = join(folder.path, "audit.log.gz");
    await writeFile(plain, `${events.join("\n")}\n`);
    await writeFile(packed, gzipSync(`${events.join("\n")}\n`));
    assert.deepEqual((await run("simulate", policy, "--file", plain)).lines, kept.lines);
    assert.deepEqual((await run("simulate", policy, "--file", packed)).lines, kept.lines);
    const json = await run("simulate", policy, "--file", plain, "-o", "json");
    assert.equal((JSON.parse(json.lines.join("\n")) as { forecast: { events: number } }).forecast.events, 10);
  });

  test("simulate shows on a terminal how far it has come, and wipes that out at the end", async () => {
    const { io } = recordingIo();
    const shown: string[] = [];
    const terminal = { ...io, showProgress: (text: string) => shown.push(text) };
    assert.equal(
      await runCommands({ name: "gatehouse-audit", commands }, ["simulate", policy, ...access], terminal),
      0,
    );
    assert.match(shown[0] ?? "", /^\[[#.]{30}\] \d+%$/);
    assert.equal(shown.at(-1), "");
  });

  test("tail prints what comes, until it is told to stop", async () => {
    const { io, lines, errors, signals } = recordingIo();
    const running = runCommands({ name: "gatehouse-audit", commands }, ["tail", ...access, "--verb", "delete"], io);
    await until(async () => {
      await sink.post(eventList([auditEvent(Math.floor(Math.random() * 1e9), { verb: "delete" })]));
      return lines.length > 1;
    });
    signals.emit("SIGINT");
    assert.equal(await running, 0);
    assert.deepEqual(errors, []);
    assert.equal(
      lines[0],
      "TIME                      USER                      VERB      RESOURCE                  OBJECT                            CODE  SENDER",
    );
    const [time = "", rest = ""] = (lines[1] ?? "").split(/(?<=Z)/);
    assert.equal(time, eventTime);
    assert.match(rest, /^ {2}alice {21}delete {4}configmaps {16}default\/cm-\d+ +200 {3}anyone$/);
  });

  const mistakes: readonly [string, () => readonly string[], RegExp][] = [
    [
      "no sink",
      () => ["query"],
      /^gatehouse-audit: .*--server: is required where neither --kubeconfig nor GATEHOUSE_AUDIT_KUBECONFIG names a file/s,
    ],
    [
      "a bad address",
      () => ["query", "--server", "sink"],
      /--server: must be an address such as https:\/\/localhost:8447, and is "sink"/,
    ],
    [
      "no credential",
      () => ["query", ...access.slice(0, 4)],
      /^gatehouse-audit: the sink answers 401: Unauthorized: the caller shows no credential that is asked for here$/,
    ],
    [
      "a filter that makes no sense",
      () => ["query", ...access, "--code", "x"],
      /the sink answers 400: code: must be a status code/,
    ],
    [
      "nobody there",
      () => ["stats", "--server", "https://127.0.0.1:1"],
      /^gatehouse-audit: .*(ECONNREFUSED|connection refused)/,
    ],
    [
      "a file that is not there",
      () => ["simulate", policy, "--file", "/none"],
      /--file: \/none cannot be read \(ENOENT\)/,
    ],
    ["a policy that is none", () => ["simulate", join(folder.path, "token"), ...access], /policy: /],
    ["no policy", () => ["simulate", ...access], /POLICY: is required/],
  ];
  for (const [name, argv, message] of mistakes) {
    test(`tells in one line and exits with 1: ${name}`, async () => {
      const { code, lines, errors } = await run(...argv());
      assert.equal(code, 1);
      assert.deepEqual(lines, []);
      assert.match(errors.join("\n"), message);
    });
  }
});
