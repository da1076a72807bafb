import assert from "node:assert/strict";
import { test } from "node:test";
import { pemBlocks } from "./pem-blocks.js";

const block = (label: string, content = "AAEC"): string =>
  `-----BEGIN ${label}-----\n${content}\n-----END ${label}-----\n`;

function found(text: string): string[] {
  return [...pemBlocks(text)].map(
    ({ label, hasHeaders, der }) => `${label}${hasHeaders ? " with headers" : ""} ${der.toString("hex")}`,
  );
}

const cases: readonly [name: string, text: string, blocks: readonly string[]][] = [
  ["one block", block("A"), ["A 000102"]],
  ["blocks with text around them", `x\n${block("A")}y\n${block("B")}z`, ["A 000102", "B 000102"]],
  ["a last line without end", block("A").trim(), ["A 000102"]],
  ["lines of Windows", block("A").replaceAll("\n", "\r\n"), ["A 000102"]],
  ["headers", block("A", "Proc-Type: 4\nX: y\n\nAAEC"), ["A with headers 000102"]],
  ["no content", "-----BEGIN A-----\n-----END A-----\n", ["A "]],
  ["headers and no content", "-----BEGIN A-----\nX: y\n-----END A-----\n", []],
  ["headers, an empty line and no content", "-----BEGIN A-----\nX: y\n\n-----END A-----\n", ["A with headers "]],
  ["blanks within and at the ends of lines", "-----BEGIN A----- \t\nAA EC\t\n-----END A-----\t \r\n", ["A 000102"]],
  ["other white space", block("A", "AA\u00a0EC") + block("B"), ["B 000102"]],
  ["something after the last line", `-----BEGIN A-----\nAAEC\n-----END A-----x\n${block("B")}`, ["B 000102"]],
  ["content that is no base64", block("A", "!!") + block("B"), ["B 000102"]],
  ["an end of another type", `-----BEGIN A-----\nAAEC\n-----END B-----\n${block("C")}`, ["C 000102"]],
  ["a beginning within a line", `x${block("A")}`, []],
  ["a beginning without end", "-----BEGIN A-----\nAAEC\n", []],
];

for (const [name, text, blocks] of cases) {
  test(`PEM: ${name}`, () => assert.deepEqual(found(text), blocks));
}

for (const [name, text] of [
  ["of nothing but beginnings", "-----BEGIN A-----\n".repeat(80_000)],
  ["of beginnings and one end", `${"-----BEGIN A-----\n".repeat(80_000)}-----END B-----\n`],
  ["of blanks", `-----BEGIN A-----\n${" ".repeat(1_000_000)}x\n-----END A-----\n`],
  ["of headers", `-----BEGIN A-----\n${"a:b\n".repeat(250_000)}`],
] as const) {
  test(`a text ${name} takes linear time`, () => {
    const start = process.cpuUsage();
    assert.deepEqual(found(text), []);
    // It takes a tenth of a second at most; a minute if each part were looked at from all others.
    assert.ok(process.cpuUsage(start).user < 5e6);
  });
}
