#!/usr/bin/env node
// Starts v1.29's server and the server of this checkout (built) with documents of configuration, each with a drawn mistake, and tells
// where one refuses what the other takes, and what both say of those that both refuse.
//   node test/differential/compare-configurations.mjs --oracle DIR --etcd URL [--only NAME,...] [--seed N] [--count N] [--port N]
// DIR is the folder in which `oracle/start.sh` has started v1.29's server, for the keys of service accounts, and URL its etcd. Programs
// of v1.29 are those in ORACLE_BIN, by default ~/.cache/gatehouse-oracle. `--count` is how many mistakes of each document are tried
// (all if left out).
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pathsOf, withValue } from "./lib/change.mjs";
import { documents } from "./lib/configurations.mjs";
import { Random } from "./lib/random.mjs";
import { programs } from "./lib/server-pair.mjs";
import { mistakesAt } from "./lib/spoil.mjs";

const text = { type: "string" };
const { values: options } = parseArgs({
  options: { oracle: text, etcd: text, only: text, seed: text, count: text, port: text },
});
const port = Number(options.port ?? 29_500);
const folder = mkdtempSync(join(tmpdir(), "configurations-"));
const key = (name) => join(options.oracle, "pki", name);
const shared = [
  ...["--service-account-issuer=https://a.example", `--service-account-key-file=${key("sa.pub")}`],
  ...[
    `--service-account-signing-key-file=${key("sa.key")}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    "--bind-address=127.0.0.1",
  ],
];
const totals = [];
for (const { name, flags, document } of documents(folder)) {
  if (options.only !== undefined && !options.only.split(",").includes(name)) continue;
  const total = { name, tried: 0, equal: 0, "left alone refuses": 0, "right alone refuses": 0, "other words": 0 };
  for (const [label, changed] of drawn(document)) {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(changed));
    const [left, right] = await Promise.all([gatehouse(flags(file)), kubeApiserver(flags(file))]);
    total.tried++;
    const outcome = outcomeOf(left, right);
    total[outcome]++;
    if (outcome !== "equal") console.log(JSON.stringify({ name, label, outcome, left, right }));
  }
  totals.push(total);
}
console.table(totals);
rmSync(folder, { recursive: true });

/** The document as it is, and with single mistakes. */
function* drawn(document) {
  yield ["as it is", document];
  const all = [...pathsOf(document)].flatMap(([path, value]) => [
    ...mistakesAt(value).map(([label, mistake]) => [`${path.join(".")}: ${label}`, withValue(document, path, mistake)]),
    ...(isObject(value) ? [[`${path.join(".")}: unknown`, withValue(document, [...path, "unknown"], 1)]] : []),
  ]);
  const r = new Random(Number(options.seed ?? 1));
  const count = Number(options.count ?? all.length);
  for (let i = 0; i < count && all.length > 0; i++) {
    yield all.splice(r.int(all.length), 1)[0];
  }
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function outcomeOf(left, right) {
  if (left === undefined || right === undefined) {
    return left === right ? "equal" : left === undefined ? "right alone refuses" : "left alone refuses";
  }
  return left.includes(right) ? "equal" : "other words";
}

/** Returns what v1.29 says in its refusal; undefined when it serves. */
function kubeApiserver(flags) {
  const own = [
    `--etcd-servers=${options.etcd}`,
    "--etcd-prefix=/configurations",
    `--secure-port=${port}`,
    `--cert-dir=${folder}/right`,
  ];
  return run(join(programs, "kube-apiserver"), [...own, ...shared, ...flags], /Serving securely/, (output) =>
    unquoted(/"command failed" err="((?:[^"\\]|\\.)*)"/.exec(output)?.[1] ?? output.slice(-2000)),
  );
}

function unquoted(text) {
  return text.replaceAll(/\\(["\\n])/g, (_, character) => (character === "n" ? "\n" : character));
}

/** Returns what the server of this checkout says in its refusal; undefined when it serves. */
function gatehouse(flags) {
  const own = [
    `--data-dir=${folder}/store`,
    `--secure-port=${port + 1}`,
    `--cert-dir=${folder}/left`,
    "--unsafe-no-fsync",
  ];
  return run(
    process.execPath,
    ["server/bundle/gatehouse-apiserver.js", ...own, ...shared, ...flags],
    /"?[Ss]erving|listening/,
    (output) => output.trim(),
  );
}

/** Runs a program until it ends or says that it has taken its configuration. Returns the reason of its end, or undefined. */
function run(program, args, accepted, reasonIn) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let isAccepted = false;
    const read = (chunk) => {
      output += chunk;
      if (!isAccepted && accepted.test(output)) {
        isAccepted = true;
        child.kill("SIGKILL");
      }
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
    child.on("close", () => {
      clearTimeout(timer);
      resolve(isAccepted ? undefined : reasonIn(output));
    });
  });
}
