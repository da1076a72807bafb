#!/usr/bin/env node
// Starts v1.29's server with the controller of policy statuses, and the server of this checkout (built), both on empty
// stores, with the flags that the areas `policies`, `rules` and `match-conditions` need. Prints the environment and the
// flags for run.mjs.
//   node test/differential/start-with-policies.mjs --oracle FOLDER --dir DIR --port N
//   node test/differential/start-with-policies.mjs --oracle FOLDER --dir DIR --stop
// `--oracle` is a folder with `start.sh` and `stop.sh`, which run v1.29's server; DIR is an absolute path. Uses the ports N
// to N + 10. Programs of v1.29 are those in ORACLE_BIN, by default ~/.cache/gatehouse-oracle.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { auditPolicy, otherControllers, sharedFlags } from "./lib/policies/server-flags.mjs";
import { preparePair, printPair, programs, startGatehouse, startOracle } from "./lib/server-pair.mjs";
import { background } from "./lib/started-programs.mjs";

const pair = await preparePair(["audit-left.log", "audit-right.log"]);
if (pair !== undefined) {
  await start(pair);
}

async function start({ dir, file, port, left, right }) {
  writeFileSync(file("audit-policy.json"), JSON.stringify(auditPolicy));
  const common = (side) => [
    ...sharedFlags,
    `--audit-policy-file=${file("audit-policy.json")}`,
    `--audit-log-path=${file(`audit-${side}.log`)}`,
  ];
  startOracle(pair, common("right"));
  background(dir, "controllers", join(programs, "kube-controller-manager"), [
    ...["--kubeconfig", right, "--bind-address=127.0.0.1", `--secure-port=${port + 6}`],
    ...["--use-service-account-credentials=false", "--leader-elect=false"],
    "--feature-gates=ValidatingAdmissionPolicy=true",
    "--controllers=validatingadmissionpolicy-status-controller",
  ]);
  const without = otherControllers.map((name) => `-${name}`).join(",");
  await startGatehouse(pair, [`--controllers=*,${without}`, ...common("left")]);
  console.log(`export AUDIT_LOGS=${file("audit-left.log")},${file("audit-right.log")}`);
  printPair(left, right);
}
