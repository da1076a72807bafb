#!/usr/bin/env node
// Starts v1.29's server with the controller of policy statuses, and the server of this checkout (built), both on empty
// stores, with the flags that the areas `policies`, `rules` and `match-conditions` need. Prints the environment and the
// flags for run.mjs.
//   node test/differential/start-with-policies.mjs --oracle FOLDER --dir DIR --port N
//   node test/differential/start-with-policies.mjs --oracle FOLDER --dir DIR --stop
// `--oracle` is a folder with `start.sh` and `stop.sh`, which run v1.29's server; DIR is an absolute path. Uses the ports N
// to N + 10. Programs of v1.29 are those in ORACLE_BIN, by default ~/.cache/gatehouse-oracle.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { auditPolicy, otherControllers, sharedFlags } from "./lib/policies/server-flags.mjs";
import { background, stopAll, untilAnswered } from "./lib/started-programs.mjs";

const { values: flags } = parseArgs({
  options: {
    oracle: { type: "string" },
    dir: { type: "string" },
    port: { type: "string" },
    stop: { type: "boolean" },
  },
});
const { oracle, dir, port: portText = "0" } = flags;
if (oracle === undefined || dir === undefined || (!flags.stop && flags.port === undefined)) {
  throw new Error("--oracle, --dir and --port (or --stop) are needed");
}
const file = (name) => join(dir, name);
const programs = process.env.ORACLE_BIN ?? join(homedir(), ".cache/gatehouse-oracle");
await stopAll(dir, oracle);
if (!flags.stop) {
  await start(Number(portText));
}

async function start(port) {
  for (const name of ["oracle/etcd", "store", "audit-left.log", "audit-right.log"]) {
    rmSync(file(name), { recursive: true, force: true });
  }
  mkdirSync(dir, { recursive: true });
  writeFileSync(file("audit-policy.json"), JSON.stringify(auditPolicy));
  const common = (side) => [
    ...sharedFlags,
    `--audit-policy-file=${file("audit-policy.json")}`,
    `--audit-log-path=${file(`audit-${side}.log`)}`,
  ];
  execFileSync(join(oracle, "start.sh"), [file("oracle"), String(port), ...common("right")], { stdio: "ignore" });
  const pki = file("oracle/pki");
  background(dir, "controllers", join(programs, "kube-controller-manager"), [
    ...["--kubeconfig", file("oracle/kubeconfig"), "--bind-address=127.0.0.1", `--secure-port=${port + 6}`],
    ...["--use-service-account-credentials=false", "--leader-elect=false"],
    "--feature-gates=ValidatingAdmissionPolicy=true",
    "--controllers=validatingadmissionpolicy-status-controller",
  ]);
  background(dir, "gatehouse", process.execPath, [
    "server/bundle/gatehouse-apiserver.js",
    ...["--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", `--secure-port=${port + 10}`],
    ...[`--cert-dir=${file("pki")}`, `--tls-cert-file=${pki}/server.crt`, `--tls-private-key-file=${pki}/server.key`],
    ...[`--client-ca-file=${pki}/ca.crt`, `--root-ca-file=${pki}/ca.crt`, `--data-dir=${file("store")}`],
    ...["--service-account-issuer=https://kubernetes.default.svc", `--service-account-key-file=${pki}/sa.pub`],
    ...[`--service-account-signing-key-file=${pki}/sa.key`, "--service-cluster-ip-range=10.0.0.0/24"],
    `--controllers=*,${otherControllers.map((name) => `-${name}`).join(",")}`,
    ...common("left"),
  ]);
  const kubeconfig = readFileSync(file("oracle/kubeconfig"), "utf8");
  writeFileSync(file("kubeconfig"), kubeconfig.replaceAll(`:${port}`, `:${port + 10}`), { mode: 0o600 });
  await untilAnswered(file("kubeconfig"), ["get", "--raw", "/readyz"]);
  console.log(`export AUDIT_LOGS=${file("audit-left.log")},${file("audit-right.log")}`);
  console.log(`--left ${file("kubeconfig")} --right ${file("oracle/kubeconfig")}`);
}
