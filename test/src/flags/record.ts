// Asks kube-apiserver v1.29 for its flags, which values of each it accepts, and with which words it refuses some, for the tests
// beside this file.
// Usage: node dist/flags/record.js KUBE-APISERVER
import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askedFlags, valuesOfFlags } from "./asked-flags.js";
import { type RecordedFlag, type RecordedRefusal, type RecordedValues, recordingFile } from "./recorded-flags.js";

const program = process.argv[2] ?? "kube-apiserver";
const folder = mkdtempSync(join(tmpdir(), "gatehouse-flags-"));

interface Outcome {
  readonly exitCode: number | null;
  readonly output: string;
}

/** Runs kube-apiserver in an empty folder until it ends; no run gets as far as to need etcd. */
function run(...flags: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const cwd = mkdtempSync(join(folder, "run-"));
    const child = spawn(program, [`--cert-dir=${folder}`, ...flags], { cwd });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.on("close", (exitCode) => resolve({ exitCode, output }));
  });
}

/** Lists all flags with their defaults, as the log tells them, and the types of those that `--help` shows. */
async function askForFlags(): Promise<readonly RecordedFlag[]> {
  const help = (await run("--help")).output;
  const types = new Map(
    [...help.matchAll(/^ {2,6}(?:-\w, )?--([a-z0-9-]+)(?: (\S+))?(?= {2}|$)/gm)].map((match) => [
      match[1] ?? "",
      match[2] ?? "bool",
    ]),
  );
  const { output } = await run("-v=1");
  return [...output.matchAll(/FLAG: --([a-z0-9-]+)="(.*)"$/gm)].map(([, name = "", value = ""]) => {
    const type = types.get(name);
    const isOurs = name === "cert-dir" || name === "v";
    return {
      name,
      ...(type === undefined ? {} : { type }),
      default: isOurs ? (name === "v" ? "0" : "/var/run/kubernetes") : value,
    };
  });
}

/** Says that options are good: the last of them is looked at when all others are, and is not. */
const sentinel = "--endpoint-reconciler-type=sentinel";

async function askFor(flags: readonly string[], keyFile: string): Promise<RecordedRefusal> {
  const { exitCode, output } = await run(
    "--etcd-servers=http://127.0.0.1:1",
    "--service-account-issuer=https://issuer.example",
    `--service-account-key-file=${keyFile}`,
    `--service-account-signing-key-file=${keyFile}`,
    "--bind-address=127.0.0.1",
    sentinel,
    ...flags,
  );
  if (output.includes("Reconciler not implemented: sentinel")) {
    return { flags };
  }
  const failed = /"command failed" err="((?:[^"\\]|\\.)*)"/.exec(output)?.[1]?.replace(/\\(.)/g, "$1");
  const words = failed ?? /^Error: (.*)$/m.exec(output)?.[1] ?? output.trim();
  return { flags, exitCode: exitCode ?? -1, words };
}

const keyFile = join(folder, "key.pem");
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
writeFileSync(keyFile, privateKey.export({ type: "pkcs1", format: "pem" }));
const known = await askForFlags();
const refusals: RecordedRefusal[] = [];
for (const flags of askedFlags) {
  refusals.push(await askFor(flags, keyFile));
}
const values: Record<string, RecordedValues> = {};
for (const { name, values: asked } of valuesOfFlags(known)) {
  const accepted: string[] = [];
  const refused: string[] = [];
  for (const value of asked) {
    const { words } = await askFor([`--${name}=${value}`], keyFile);
    (words === undefined ? accepted : refused).push(value);
  }
  values[name] = { accepted, refused };
}
const rows = (items: readonly object[]): string => items.map((item) => `    ${JSON.stringify(item)}`).join(",\n");
writeFileSync(
  recordingFile,
  `{\n  "flags": [\n${rows(known)}\n  ],\n  "refusals": [\n${rows(refusals)}\n  ],\n  "values": ${JSON.stringify(values)}\n}\n`,
);
rmSync(folder, { recursive: true });
