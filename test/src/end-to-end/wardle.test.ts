import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findKubectls } from "../support/kubectls.js";
import { type RunningCommand, startCommand } from "../support/running-command.js";
import { showLogOnFailure } from "../support/show-log-on-failure.js";
import { until } from "../support/until.js";

const run = promisify(execFile);
const kubectls = await findKubectls();
const kubectl = kubectls.at(-1)?.path;
const options = kubectl === undefined ? { skip: "there is no kubectl" } : {};
const script = fileURLToPath(new URL("../../../examples/wardle/dist/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "wardle-"));
const manifest = join(folder, "flunder.yaml");
let wardle: RunningCommand;

before(async () => {
  wardle = startCommand(`exec '${process.execPath}' '${script}' '${folder}'`);
  showLogOnFailure(() => `${wardle.stdout()}${wardle.stderr()}`);
  await until("wardle is served", () => wardle.stdout().includes("get flunders"));
});
after(async () => {
  await wardle?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs kubectl with the flags that the program has printed. */
async function ask(...args: readonly string[]): Promise<string> {
  const flags = wardle.stdout().match(/--\S+=\S+/g) ?? [];
  const { stdout } = await run(kubectl ?? "", [...flags, `--cache-dir=${folder}/cache`, ...args]);
  return stdout;
}

function writeFlunder(grams: number): void {
  const metadata = { name: "bo", namespace: "sea" };
  const flunder = { apiVersion: "wardle.example.com/v1alpha1", kind: "Flunder", metadata, spec: { grams } };
  writeFileSync(manifest, JSON.stringify(flunder));
}

test("kubectl applies, shows and explains a stored kind of one's own", options, async () => {
  writeFlunder(300);
  assert.equal(await ask("apply", "-f", manifest), "flunder.wardle.example.com/bo created\n");
  assert.equal(await ask("apply", "-f", manifest), "flunder.wardle.example.com/bo unchanged\n");
  const row = /^NAME +SPECIES +PHASE +GRAMS\nbo +Plaice +300\n$/;
  assert.match(await ask("get", "fl", "-n", "sea", "-o", "wide"), row);
  assert.match(await ask("explain", "flunder.spec.grams"), /The weight in grams\./);
});

test("kubectl writes the status through its subresource only", options, async () => {
  const fed = ["-n", "sea", "--type=merge", "-p", '{"status":{"phase":"Fed"}}'];
  await ask("patch", "fl", "bo", ...fed);
  assert.equal(await ask("get", "fl", "bo", "-n", "sea", "-o", "jsonpath={.status}"), "");
  await ask("patch", "fl", "bo", "--subresource=status", ...fed);
  assert.equal(await ask("get", "fl", "bo", "-n", "sea", "-o", "jsonpath={.status.phase}"), "Fed");
});

test("kubectl shows a computed kind, and the verbs that it has no function for are refused", options, async () => {
  assert.match(await ask("get", "catches"), /^NAME +FISH\nsea +1\n$/);
  assert.equal(await ask("get", "catch", "sea", "-o", "jsonpath={.fish}"), "1");
  const { resources } = JSON.parse(await ask("get", "--raw", "/apis/wardle.example.com/v1alpha1")) as {
    readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[];
  };
  assert.deepEqual(resources.find(({ name }) => name === "catches")?.verbs, ["get", "list"]);
  await assert.rejects(ask("delete", "catch", "sea"), /MethodNotAllowed/);
});

test("an object that breaks its schema is refused with the path of the fault", options, async () => {
  writeFlunder(0);
  await assert.rejects(ask("apply", "-f", manifest), /spec\.grams: Invalid value: 0/);
});
