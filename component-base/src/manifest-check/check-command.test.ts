import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runProgram } from "../commands/index.js";
import { defineFlags } from "../flags/index.js";
import { DocumentError, type Finding, type SourceDocument } from "../manifests/index.js";
import { problemAt } from "../problems/index.js";
import { thisProcess } from "../shutdown/index.js";
import { type CheckForm, manifestCheckCommand } from "./check-command.js";
import { describeObject } from "./describe-object.js";
import type { DocumentVerdict } from "./judgement.js";
import { lineOfField } from "./locate-field.js";
import { reportJudgement } from "./report-judgement.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-manifest-check-test-"));
after(() => rmSync(folder, { recursive: true }));

const flags = defineFlags({
  odd: { type: "bool", group: "Judge", help: "Is a mistake." },
});

let loaded = 0;

/** A judge for which `data.say` of a document is the level of its only finding. */
const form: CheckForm<typeof flags> = {
  command: "judge check",
  summary: "Judges.",
  flags,
  problemsOf: ({ odd }) => (odd ? [problemAt("--odd", "is odd")] : []),
  async loadJudge() {
    loaded += 1;
    return async (inputs) => {
      const sources = inputs.documents.flatMap((source) => (source instanceof DocumentError ? [] : [source]));
      const verdicts = new Map(sources.map((source) => [source, verdictOn(source)]));
      const rules = [{ id: "said", title: "Said", description: "Says what the document says." }];
      return reportJudgement(inputs, { tool: "judge", rules, unreadable: "unread", verdicts });
    };
  },
};

function verdictOn(source: SourceDocument): DocumentVerdict {
  const say = (source.content["data"] as Record<string, Finding["level"] | "skip"> | undefined)?.["say"];
  if (say === undefined || say === "skip") {
    return say === undefined ? { findings: [] } : { findings: [], skipped: "it asks for it" };
  }
  const { file } = source;
  const finding: Finding = { file, line: lineOfField(source, "data.say"), rule: "said", level: say, message: say };
  return { findings: [finding] };
}

function write(name: string, ...says: readonly string[]): string {
  const path = join(folder, name);
  const document = (say: string, index: number): string =>
    `kind: ConfigMap\napiVersion: v1\nmetadata: {name: c${index}, namespace: shop}\ndata: {say: ${say}}\n`;
  writeFileSync(path, says.map(document).join("---\n"));
  return path;
}

async function run(...argv: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const io = {
    print: (line: string) => void out.push(line.replaceAll(folder, "DIR")),
    printError: (line: string) => void err.push(line.replaceAll(folder, "DIR")),
    process: thisProcess,
    env: {},
  };
  return {
    code: await runProgram("judge", manifestCheckCommand(form), argv, io),
    out: out.join("\n"),
    err: err.join("\n"),
  };
}

test("the exit code tells whether an object would be refused, which warnings do on request only", async () => {
  const warned = write("warned.yaml", "note", "warning", "skip");
  const lines = ["DIR/warned.yaml:4: note: ConfigMap shop/c0: said: note", "ConfigMap shop/c1: said: warning"];
  const skipped = "DIR/warned.yaml:11: skipped: it asks for it";
  assert.deepEqual(await run(warned), {
    code: 0,
    out: [
      lines[0],
      `DIR/warned.yaml:9: warning: ${lines[1]}`,
      skipped,
      "2 objects checked, 0 would be refused, 1 document skipped",
    ].join("\n"),
    err: "",
  });
  assert.deepEqual(await run("--warnings-as-errors", warned), {
    code: 1,
    out: [
      lines[0],
      `DIR/warned.yaml:9: error: ${lines[1]}`,
      skipped,
      "2 objects checked, 1 would be refused, 1 document skipped",
    ].join("\n"),
    err: "",
  });
  assert.equal((await run(write("refused.yaml", "error"))).code, 1);
});

test("several paths are read in their order, in any form of report, and a document that cannot be read is one finding", async () => {
  const broken = join(folder, "broken.yaml");
  writeFileSync(broken, "a: [\n");
  const paths = [write("b.yaml", "error"), broken, write("a.yaml", "note")];
  assert.match(
    (await run(...paths)).out,
    /^DIR\/b\.yaml:4: error: .*\nDIR\/broken\.yaml:\d: error: document: unread: is not valid YAML.*\nDIR\/a\.yaml:4: note/,
  );
  const { documents } = JSON.parse((await run("--output=json", ...paths)).out);
  assert.deepEqual(
    documents.map(({ verdict }: { readonly verdict: string }) => verdict),
    ["refused", "refused", "accepted"],
  );
  assert.match((await run("-o", "github", ...paths)).out, /^::error file=DIR\/b\.yaml,line=4,title=said::/);
  assert.match((await run("-o", "junit", ...paths)).out, /<testsuite name="judge" tests="3" failures="2"/);
  assert.match((await run("-o", "sarif", ...paths)).out, /"name": "judge"/);
});

for (const [what, argv, message] of [
  ["no path", [], "arguments: PATH...: is required"],
  ["flags that the judge refuses", ["--odd", "a"], "flags: --odd: is odd"],
  ["a watch of standard input", ["--watch", "-"], "flags: --watch: standard input has no changes to watch"],
  [
    "no manifest",
    ["DIR/values.yaml"],
    "DIR/values.yaml: 2 problems:\n  - PATH: there is no manifest to check\n  - DIR/values.yaml:1: no manifest, without apiVersion and kind",
  ],
] as const) {
  test(`${what} is a mistake with exit code 2`, async () => {
    writeFileSync(join(folder, "values.yaml"), "replicas: 1\n");
    const { code, err } = await run(...argv.map((argument) => argument.replace("DIR", folder)));
    assert.deepEqual({ code, err }, { code: 2, err: `judge: ${message}` });
  });
}

test("a watch judges again after each change, with the judge that was loaded first", async () => {
  const path = write("watched.yaml", "error");
  const seen: string[] = [];
  const [lines, signals] = [new EventEmitter(), new EventEmitter()];
  const say = (line: string): void => {
    seen.push(line);
    lines.emit("line");
  };
  const io = {
    print: say,
    printError: say,
    process: {
      on: (signal: string, listener: () => void) => signals.on(signal, listener),
      off: (signal: string, listener: () => void) => signals.off(signal, listener),
      exit() {},
      endAtOnce: () => assert.fail("must end in order"),
      endAfter: () => ({ [Symbol.dispose]() {} }),
    },
    env: {},
  };
  const until = async (end: RegExp): Promise<void> => {
    while (!end.test(seen.at(-1) ?? "")) {
      await once(lines, "line");
    }
  };
  const before = loaded;
  const running = runProgram("judge", manifestCheckCommand(form), ["-w", path], io);
  await until(/1 would be refused$/);
  write("watched.yaml", "note");
  await until(/0 would be refused$/);
  signals.emit("SIGINT");
  assert.equal(await running, 0);
  assert.equal(loaded - before, 1);
});

test("an object without a name is described by what it has", () => {
  assert.equal(describeObject({ kind: "Pod", metadata: { generateName: "a-" } }), "Pod a-");
  assert.equal(describeObject({ metadata: 5 }), "document");
});
