#!/usr/bin/env node
// Starts v1.29's server and the server of this checkout (built), both on empty stores, with all API versions and the default
// admission plugins but for ServiceAccount. Prints the flags for run.mjs: the area `life-cycles`, and with `--controllers
// yes` the area `controlled-cycles`. Other areas name the controllers of kube-controller-manager that they need on both sides.
//   node test/differential/start-with-life-cycles.mjs --oracle FOLDER --dir DIR --port N [--controllers no|yes|NAME,...]
//   node test/differential/start-with-life-cycles.mjs --oracle FOLDER --dir DIR --stop
// `--oracle` is a folder with `start.sh` and `stop.sh`, which run v1.29's server; DIR is an absolute path. Uses the ports N
// to N + 10. Programs of v1.29 are those in ORACLE_BIN, by default ~/.cache/gatehouse-oracle.
import { join } from "node:path";
import { ownControllers, sharedControllers, sharedFlags } from "./lib/life-cycles/server-flags.mjs";
import { preparePair, printPair, programs, startGatehouse, startOracle } from "./lib/server-pair.mjs";
import { background } from "./lib/started-programs.mjs";

const pair = await preparePair([], { controllers: "no" });
if (pair !== undefined) {
  await start(pair);
}

async function start({ dir, file, port, flags, left, right }) {
  const shared = controllersOf(flags.controllers);
  const pki = file("oracle/pki");
  const signing = [`--cluster-signing-cert-file=${pki}/ca.crt`, `--cluster-signing-key-file=${pki}/ca.key`];
  startOracle(pair, sharedFlags);
  if (shared.length > 0) {
    background(dir, "controllers", join(programs, "kube-controller-manager"), [
      ...["--kubeconfig", right, "--bind-address=127.0.0.1", `--secure-port=${port + 6}`],
      ...["--use-service-account-credentials=false", "--leader-elect=false"],
      ...[`--service-account-private-key-file=${pki}/sa.key`, `--root-ca-file=${pki}/ca.crt`],
      ...[...signing, `--controllers=${shared.join(",")}`],
      // Cases run beside each other: each would wait for the limits of clients of the others.
      ...["--kube-api-qps=500", "--kube-api-burst=1000"],
    ]);
  }
  const controllers = [...ownControllers, ...shared].join(",");
  await startGatehouse(pair, [`--controllers=${controllers}`, ...signing, ...sharedFlags]);
  printPair(left, right);
}

/** Returns the names of the controllers that a value of `--controllers` stands for. */
function controllersOf(value) {
  if (value === "no") return [];
  return value === "yes" ? sharedControllers : value.split(",");
}
