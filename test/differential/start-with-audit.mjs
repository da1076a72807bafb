#!/usr/bin/env node
// Starts v1.29's server and the server of this checkout (built), both on empty stores, with RBAC, the default admission plugins
// and an audit policy that is drawn from a number. Prints the environment and the flags for run.mjs: the area `audit-events`.
//   node test/differential/start-with-audit.mjs --oracle FOLDER --dir DIR --port N [--policy NUMBER] [--format FORMAT]
//     [--truncate BYTES]
//   node test/differential/start-with-audit.mjs --oracle FOLDER --dir DIR --stop
// The policy 0 records everything. FORMAT is json or legacy. With BYTES, events above that size are truncated.
// `--oracle` is a folder with `start.sh` and `stop.sh`, which run v1.29's server; DIR is an absolute path. Uses the ports N
// to N + 10. Programs of v1.29 are those in ORACLE_BIN, by default ~/.cache/gatehouse-oracle.
import { writeFileSync } from "node:fs";
import { auditFlags } from "./lib/audit-events/audit-flags.mjs";
import { drawnPolicy } from "./lib/audit-events/policies.mjs";
import { otherControllers } from "./lib/policies/server-flags.mjs";
import { preparePair, printPair, startGatehouse, startOracle } from "./lib/server-pair.mjs";

const leftovers = ["audit-left.log", "audit-right.log"];
const pair = await preparePair(leftovers, { policy: "0", format: "json", truncate: "" });
if (pair !== undefined) {
  await start(pair);
}

async function start({ file, flags, left, right }) {
  writeFileSync(file("audit-policy.json"), JSON.stringify(drawnPolicy(Number(flags.policy))));
  const common = (side) => [
    ...auditFlags,
    `--audit-policy-file=${file("audit-policy.json")}`,
    `--audit-log-path=${file(`audit-${side}.log`)}`,
    `--audit-log-format=${flags.format}`,
    ...(flags.truncate === ""
      ? []
      : ["--audit-log-truncate-enabled", `--audit-log-truncate-max-event-size=${flags.truncate}`]),
  ];
  startOracle(pair, common("right"));
  const without = otherControllers.map((name) => `-${name}`).join(",");
  const users = `--token-auth-file=${file("oracle/tokens.csv")}`;
  await startGatehouse(pair, [`--controllers=*,${without}`, users, ...common("left")]);
  console.log(`export AUDIT_LOGS=${file("audit-left.log")},${file("audit-right.log")}`);
  printPair(left, right);
}
