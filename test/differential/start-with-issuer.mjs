#!/usr/bin/env node
// Starts an issuer of ID tokens, v1.29's server, and the server of this checkout (built), both on empty stores and with the same
// flags about that issuer. Prints the environment and the flags for run.mjs: the area `id-tokens`.
//   node test/differential/start-with-issuer.mjs --oracle FOLDER --dir DIR --port N [--claim email]
//   node test/differential/start-with-issuer.mjs --oracle FOLDER --dir DIR --stop
// `--oracle` is a folder with `start.sh` and `stop.sh`, which run v1.29's server; DIR is an absolute path. Uses the ports N
// to N + 11.
import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { preparePair, printPair, startGatehouse, startOracle } from "./lib/server-pair.mjs";
import { background } from "./lib/started-programs.mjs";

const pair = await preparePair([], { claim: "sub" });
if (pair !== undefined) {
  await start(pair);
}

async function start({ dir, file, left, right, port, flags }) {
  const keysFile = file("issuer-keys.json");
  writeFileSync(keysFile, JSON.stringify(privateKeys()), { mode: 0o600 });
  const pki = file("oracle/pki");
  mkdirSync(pki, { recursive: true });
  // The certificates come with the first start, and the issuer has to be there at the next one.
  startOracle(pair, []);
  execFileSync(`${pair.oracle}/stop.sh`, [file("oracle")], { stdio: "ignore" });
  const script = fileURLToPath(new URL("lib/serve-issuer.mjs", import.meta.url));
  const issuer = port + 11;
  background(dir, "issuer", process.execPath, [
    script,
    String(issuer),
    `${pki}/server.crt`,
    `${pki}/server.key`,
    keysFile,
  ]);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const shared = [
    "--authorization-mode=AlwaysAllow",
    `--oidc-issuer-url=https://127.0.0.1:${issuer}`,
    ...["--oidc-client-id=client", `--oidc-ca-file=${pki}/ca.crt`, `--oidc-username-claim=${flags.claim}`],
    ...[
      "--oidc-groups-claim=groups",
      "--oidc-groups-prefix=g:",
      "--oidc-username-prefix=u:",
      "--oidc-required-claim=tenant=a",
    ],
    "--oidc-signing-algs=RS256,ES256,PS256",
  ];
  startOracle(pair, shared);
  await startGatehouse(pair, shared);
  console.log(`export ISSUER_KEYS=${keysFile} ISSUER=https://127.0.0.1:${issuer}`);
  printPair(left, right);
}

/** Keys of both sorts, one of them without a key ID, and one that only signs with another algorithm. */
function privateKeys() {
  const rsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
  const elliptic = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  return [
    { ...rsa(), kid: "r", use: "sig", alg: "RS256" },
    { ...elliptic(), kid: "e", use: "sig" },
    { ...rsa() },
    { ...rsa(), kid: "p", use: "sig", alg: "PS256" },
    { ...rsa(), kid: "enc", use: "enc" },
  ];
}
