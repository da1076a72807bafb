#!/usr/bin/env node
// Starts v1.29's server with its controllers, and the server of this checkout (built), both on empty stores, with RBAC and
// the default admission plugins. Prints the environment and the flags for run.mjs: the areas `authorization`,
// `random-reads`, `role-escalation`, `role-changes`, `access-reviews`, `requests-by-users`, `requests-by-nodes`,
// `account-tokens`, `signer-permissions` and `owner-permissions`.
//   node test/differential/start-with-roles.mjs --oracle FOLDER --dir DIR --port N
//   node test/differential/start-with-roles.mjs --oracle FOLDER --dir DIR --stop
// `--plugins` are more admission plugins: OwnerReferencesPermissionEnforcement for the area `owner-permissions`.
// `--oracle` is a folder with `start.sh` and `stop.sh`, which run v1.29's server; DIR is an absolute path. Uses the ports N
// to N + 10. Programs of v1.29 are those in ORACLE_BIN, by default ~/.cache/gatehouse-oracle.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { preparePair, printPair, startGatehouse, startOracle } from "./lib/server-pair.mjs";
import { tokenLines } from "./lib/static-tokens.mjs";

const pair = await preparePair([], { plugins: "" });
if (pair !== undefined) {
  await start(pair);
}

async function start({ file, flags: { plugins }, left, right }) {
  const pki = file("oracle/pki");
  writeFileSync(file("tokens.csv"), tokenLines.join("\n"), { mode: 0o600 });
  const flags = ["--authorization-mode=Node,RBAC", `--token-auth-file=${file("tokens.csv")}`];
  if (plugins !== "") flags.push(`--enable-admission-plugins=${plugins}`);
  startOracle(pair, flags, { hasControllers: true });
  await startGatehouse(pair, flags);
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
  console.log(`export SERVICE_ACCOUNT_KEY=${join(pki, "sa.key")}`);
  printPair(left, right);
}
