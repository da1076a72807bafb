#!/usr/bin/env node
// Runs public test suites with the pair of `gatehouse envtest install`, and with kube-apiserver and etcd themselves, and
// writes docs/fidelity.md: how many specs pass with each, and which ones pass with kube-apiserver alone. Needs Go and make.
// With `--only`, the page keeps what it says of the suites whose title does not have the text.
//   node test/fidelity/run.mjs --pair DIR --peer DIR --work DIR [--only TEXT]
// `--pair` and `--peer` are folders with kube-apiserver, etcd and kubectl; `--work` keeps modules and built suites.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { fidelityPage } from "./fidelity-page.mjs";
import { moduleName, modules } from "./suites.mjs";

const run = promisify(execFile);
const suiteTimeout = "900s";
const maxBuffer = 256 * 2 ** 20;

const { values: flags } = parseArgs({
  options: { pair: { type: "string" }, peer: { type: "string" }, work: { type: "string" }, only: { type: "string" } },
});
for (const name of ["pair", "peer", "work"]) {
  if (flags[name] === undefined) {
    throw new Error(`--${name} is needed`);
  }
}
const work = resolve(flags.work);
mkdirSync(work, { recursive: true });

const page = fileURLToPath(new URL("../../docs/fidelity.md", import.meta.url));
const before = readFileSync(page, "utf8");
const results = [];
for (const module of modules) {
  for (const name of module.packages) {
    const title = `${module.path}/${name} ${module.version}`;
    if (flags.only !== undefined && !title.includes(flags.only)) {
      continue;
    }
    const folder = await unpack(module);
    const suite = { ...(await build(folder, name)), runner: module.runner, skip: module.skip };
    const [pair, peer] = [await play(suite, flags.pair), await play(suite, flags.peer)];
    const missing = [...peer.passed].filter((spec) => !pair.passed.has(spec));
    results.push({ module, name, pair: pair.passed.size, peer: peer.passed.size, missing, ms: [pair.ms, peer.ms] });
    // What is known is kept, however the next suite ends.
    writeFileSync(page, fidelityPage(modules, results, before));
    console.log(`${title}: ${pair.passed.size} specs pass, ${peer.passed.size} with kube-apiserver`);
    for (const spec of missing) {
      console.log(`  with kube-apiserver alone: ${spec}`);
    }
  }
}

/**
 * Copies a module, since files of the module cache are read-only and scripts in it cannot be run, and prepares the copy. It
 * gets its name when it is whole.
 */
async function unpack({ path, version, prepare }) {
  const folder = join(work, `${moduleName(path)}-${version}`);
  if (!existsSync(folder)) {
    const { stdout } = await run("go", ["mod", "download", "-json", `${path}@${version}`], { cwd: work });
    const copy = `${folder}.part`;
    rmSync(copy, { recursive: true, force: true });
    cpSync(JSON.parse(stdout).Dir, copy, { recursive: true });
    await run("chmod", ["-R", "u+w", copy]);
    // Of a folder of dependencies, modules in the cache have only the list, in which go would look for all of them.
    rmSync(join(copy, "vendor"), { recursive: true, force: true });
    await run("find", [copy, "-name", "*.sh", "-exec", "chmod", "+x", "{}", "+"]);
    if (prepare !== undefined) {
      const env = { ...process.env, FIDELITY: fileURLToPath(new URL(".", import.meta.url)) };
      await run("sh", ["-ec", prepare], { cwd: copy, env, maxBuffer });
    }
    renameSync(copy, folder);
  }
  return folder;
}

/**
 * Builds the test program of a package, and returns it with the folder to run it in. It may be one of a module inside the
 * module, such as a generated project, or of a module that it depends on.
 */
async function build(folder, name) {
  const env = { ...process.env, GOFLAGS: "-mod=mod" };
  const isOther = name.split("/", 1)[0].includes(".") && name !== ".";
  const [from, target] = isOther ? [folder, name] : [join(folder, name), "."];
  const program = join(work, `${basename(folder)}-${name.replaceAll("/", "-")}.test`);
  if (!existsSync(program)) {
    await run("go", ["test", "-c", "-o", program, target], { cwd: from, env, maxBuffer });
  }
  const { stdout } = await run("go", ["list", "-f", "{{.Dir}}", target], { cwd: from, env });
  return { program, cwd: stdout.trim() };
}

/**
 * Runs a suite; returns the names of what has passed, and how long it took: the specs of Ginkgo, and tests of Go, except for
 * the one test that runs all specs.
 */
async function play({ cwd, program, runner, skip }, binaries) {
  const report = join(work, "report.json");
  rmSync(report, { force: true });
  const startedAt = performance.now();
  const assets = resolve(binaries);
  const options = {
    cwd,
    // The tests of cert-manager look for the programs in the path.
    env: { ...process.env, KUBEBUILDER_ASSETS: assets, PATH: `${assets}${delimiter}${process.env.PATH}` },
    maxBuffer,
  };
  const ginkgo = runner === "ginkgo" ? ["-ginkgo.seed", "1", "-ginkgo.json-report", report] : [];
  const skipped = skip === undefined ? [] : ["-test.skip", skip];
  const argv = ["-test.v", "-test.timeout", suiteTimeout, ...skipped, ...ginkgo];
  // A suite in which something fails has run, too.
  const { stdout } = await run(program, argv, options).catch((error) => error);
  const ms = performance.now() - startedAt;
  const specs = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : [];
  const passed = specs
    .flatMap(({ SpecReports }) => SpecReports ?? [])
    .filter(({ State, LeafNodeType }) => State === "passed" && LeafNodeType === "It")
    .map(({ ContainerHierarchyTexts, LeafNodeText }) => [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(" "));
  const suites = new Set(specs.map(({ SuiteDescription }) => SuiteDescription));
  const tests = [...stdout.matchAll(/^ *--- PASS: (\S+)/gm)].map(([, test]) => test);
  return { passed: new Set([...passed, ...(suites.size > 0 && tests.length === 1 ? [] : tests)]), ms };
}
