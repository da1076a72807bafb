import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger, type LoggerOptions } from "./create-logger.js";
import { silentLogger } from "./logger.js";

function record(options: Partial<LoggerOptions>) {
  const lines: string[] = [];
  const logger = createLogger({
    name: "apiserver",
    now: () => new Date("2024-01-02T03:04:05.678Z"),
    write: (line) => lines.push(line),
    ...options,
  });
  return { logger, lines };
}

test("JSON events are one object a line with level, time, name and fields", () => {
  const { logger, lines } = record({ format: "json" });
  logger.info("request done", {
    verb: "get",
    name: "pod-1",
    level: "x",
    code: 200,
    groups: ["a", "b"],
    revision: 12n,
    gone: undefined,
  });
  logger.debug("not written");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [
      {
        level: "info",
        time: "2024-01-02T03:04:05.678Z",
        process: "apiserver",
        name: "pod-1",
        level_: "x",
        verb: "get",
        code: 200,
        groups: ["a", "b"],
        revision: "12",
        msg: "request done",
      },
    ],
  );
  assert.ok(lines[0]?.endsWith("}\n"));
});

test("text events are readable lines", () => {
  const { logger, lines } = record({ format: "text", level: "debug" });
  logger.debug("started", { port: 6443, path: "/a b" });
  logger.child({ component: "tls" }).warn("cannot reload", { error: new Error("no such\nfile") });
  assert.deepEqual(lines, [
    '2024-01-02T03:04:05.678Z DEBUG apiserver: started port=6443 path="/a b"\n',
    '2024-01-02T03:04:05.678Z WARN  apiserver: cannot reload component=tls error="no such\\nfile"\n',
  ]);
  const coloured = record({ format: "text", colour: true });
  coloured.logger.error("broken");
  assert.equal(coloured.lines[0], "2024-01-02T03:04:05.678Z \u001b[31mERROR\u001b[0m apiserver: broken\n");
});

test("a peer's text can neither start a line nor drive the terminal", () => {
  const { logger, lines } = record({ format: "text" });
  logger.info("a\nb\u001b[2J", { user: "x\r\ny\u001b]" });
  assert.equal(lines[0], '2024-01-02T03:04:05.678Z INFO  apiserver: a\\nb\\u001b[2J user="x\\r\\ny\\u001b]"\n');
});

test("secrets are redacted in both formats", () => {
  for (const format of ["json", "text"] as const) {
    const { logger, lines } = record({ format });
    logger.error("sent Bearer abcdefgh.ijkl", {
      token: "hunter2",
      Authorization: "hunter2",
      privateKey: "hunter2",
      header: "Bearer hunter2hunter2",
      error: new Error("-----BEGIN EC PRIVATE KEY-----"),
    });
    assert.doesNotMatch(lines.join(""), /hunter2|abcdefgh|PRIVATE KEY/, format);
    assert.match(lines.join(""), /redacted/);
  }
});

test("errors keep their code and causes in JSON", () => {
  const { logger, lines } = record({ format: "json" });
  const cause = Object.assign(new TypeError("inner"), { code: "ECONNRESET" });
  logger.error("failed", { error: new Error("outer", { cause }) });
  const { error } = JSON.parse(lines[0] ?? "");
  assert.equal(error.message, "outer");
  assert.equal(error.cause.type, "TypeError");
  assert.equal(error.cause.code, "ECONNRESET");
});

test("levels that are not written say so", () => {
  const { logger } = record({ level: "warn" });
  assert.equal(logger.enabled("info"), false);
  assert.equal(logger.enabled("error"), true);
  silentLogger.child({}).error("nobody hears this");
  assert.equal(silentLogger.enabled("error"), false);
});

test("faults in the program are logged with their stack, and foreseen errors with their message alone", () => {
  class IssuerError extends Error {}
  const noFile = Object.assign(new Error("ENOENT: no such file"), { syscall: "open" });
  const rows: readonly (readonly [Error, boolean])[] = [
    [new TypeError("x is not a function"), true],
    [new IssuerError("status 403"), false],
    [noFile, false],
  ];
  for (const [error, hasStack] of rows) {
    const text = record({ format: "text" });
    text.logger.error("failed", { error });
    assert.equal(/\n {4}at /.test(text.lines[0] ?? ""), hasStack, error.message);
    const json = record({ format: "json" });
    json.logger.error("failed", { error });
    assert.equal("stack" in JSON.parse(json.lines[0] ?? "").error, hasStack, error.message);
  }
});
