import assert from "node:assert/strict";
import { test } from "node:test";
import { pemBlocks } from "./pem.js";

const block = (type: string, content = "AAEC"): string =>
  `-----BEGIN ${type}-----\n${content}\n-----END ${type}-----\n`;

function found(text: string): string[] {
  return [...pemBlocks(text)].map(
    ({ type, hasHeaders, bytes }) => `${type}${hasHeaders ? " with headers" : ""} ${bytes.toString("hex")}`,
  );
}

const cases: readonly [name: string, text: string, blocks: readonly string[]][] = [
  ["one block", block("A"), ["A 000102"]],
  ["blocks with text around them", `x\n${block("A")}y\n${block("B")}z`, ["A 000102", "B 000102"]],
  ["a last line without end", block("A").trim(), ["A 000102"]],
  ["lines of Windows", block("A").replaceAll("\n", "\r\n"), ["A 000102"]],
  ["headers", block("A", "Proc-Type: 4\nX: y\n\nAAEC"), ["A with headers 000102"]],
  ["no content", "-----BEGIN A-----\n-----END A-----\n", ["A "]],
  ["content that is no base64", block("A", "!!") + block("B"), ["B 000102"]],
  ["an end of another type", `-----BEGIN A-----\nAAEC\n-----END B-----\n${block("C")}`, ["C 000102"]],
  ["a beginning within a line", `x${block("A")}`, []],
  ["a beginning without end", "-----BEGIN A-----\nAAEC\n", []],
];

for (const [name, text, blocks] of cases) {
  test(`PEM: ${name}`, () => assert.deepEqual(found(text), blocks));
}

test("a text of nothing but beginnings takes linear time", () => {
  const start = process.cpuUsage();
  assert.deepEqual(found("-----BEGIN A-----\n".repeat(80_000)), []);
  // It takes a twentieth of a second; a minute if each beginning were looked at from all others.
  assert.ok(process.cpuUsage(start).user < 5e6);
});
