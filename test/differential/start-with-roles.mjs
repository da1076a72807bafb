#!/usr/bin/env node
// Starts v1.29's server with its controllers, and the server of this checkout (built), both on empty stores, with RBAC and
// the default admission plugins. Prints the environment and the flags for run.mjs: the areas `authorization` and
// `random-reads`.
//   node test/differential/start-with-roles.mjs --oracle FOLDER --dir DIR --port N
//   node test/differential/start-with-roles.mjs --oracle FOLDER --dir DIR --stop
// `--oracle` is a folder with `start.sh` and `stop.sh`, which run v1.29's server; DIR is an absolute path. Uses the ports N
// to N + 10. Programs of v1.29 are those in ORACLE_BIN, by default ~/.cache/gatehouse-oracle.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { preparePair, printPair, startGatehouse, startOracle } from "./lib/server-pair.mjs";

const pair = await preparePair();
if (pair !== undefined) {
  await start(pair);
}

async function start({ file, left, right }) {
  const pki = file("oracle/pki");
  const roles = "--authorization-mode=Node,RBAC";
  startOracle(pair, [roles], { hasControllers: true });
  await startGatehouse(pair, [roles, `--token-auth-file=${file("oracle/tokens.csv")}`]);
  const [key, request] = [file("request.key"), file("request.csr")];
  const subject = ["-subj", "/O=system:nodes/CN=system:node:n9"];
  execFileSync(
    "openssl",
    ["req", "-new", "-nodes", "-newkey", "rsa:2048", "-keyout", key, "-out", request, ...subject],
    {
      stdio: "ignore",
      cwd: pki,
    },
  );
  console.log(`export CERTIFICATE_REQUEST=${readFileSync(request).toString("base64")}`);
  printPair(left, right);
}
