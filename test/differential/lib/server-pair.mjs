// v1.29's server and the server of this checkout (built), started on empty stores with the same certificates and flags.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { background, stopAll, untilAnswered } from "./started-programs.mjs";

/** A folder of programs of v1.29. */
export const programs = process.env.ORACLE_BIN ?? join(homedir(), ".cache/gatehouse-oracle");

const text = { type: "string" };

/**
 * Reads the command line of a script that starts a pair: `--oracle FOLDER --dir DIR` and `--port N` or `--stop`, and flags of
 * the script itself, whose names and defaults are `ownFlags`. Ends what an earlier call has started in DIR. Returns undefined
 * if that was all, otherwise the pair to start; `leftovers` are names of folders and files in DIR that are removed before.
 */
export async function preparePair(leftovers = [], ownFlags = {}) {
  const own = Object.fromEntries(Object.entries(ownFlags).map(([name, value]) => [name, { ...text, default: value }]));
  const { values: flags } = parseArgs({
    options: { oracle: text, dir: text, port: text, stop: { type: "boolean" }, ...own },
  });
  const { oracle, dir, port } = flags;
  if (oracle === undefined || dir === undefined || (!flags.stop && port === undefined)) {
    throw new Error("--oracle, --dir and --port (or --stop) are needed");
  }
  await stopAll(dir, oracle);
  if (flags.stop) {
    return undefined;
  }
  for (const name of ["oracle/etcd", "store", ...leftovers]) {
    rmSync(join(dir, name), { recursive: true, force: true });
  }
  mkdirSync(dir, { recursive: true });
  return {
    oracle,
    dir,
    flags,
    port: Number(port),
    file: (name) => join(dir, name),
    /** The kubeconfigs of the server of this checkout, and of v1.29's. */
    left: join(dir, "kubeconfig"),
    right: join(dir, "oracle/kubeconfig"),
  };
}

/** Starts v1.29's server on the ports N to N + 5, with its controllers if wanted. Its certificates are in DIR/oracle/pki. */
export function startOracle({ oracle, file, port }, flags, { hasControllers = false } = {}) {
  const env = { ...process.env, ...(hasControllers ? { KCM: "1" } : {}) };
  execFileSync(join(oracle, "start.sh"), [file("oracle"), String(port), ...flags], { stdio: "ignore", env });
}

/**
 * Starts v1.29's server once more, in the place of the server of this checkout, on the ports N + 10 to N + 15, with the keys
 * and the users of the first. Returns its kubeconfig.
 */
export function startSecondOracle({ oracle, file, port }, flags) {
  const folder = file("left-oracle");
  rmSync(folder, { recursive: true, force: true });
  cpSync(file("oracle/pki"), join(folder, "pki"), { recursive: true });
  cpSync(file("oracle/tokens.csv"), join(folder, "tokens.csv"));
  execFileSync(join(oracle, "start.sh"), [folder, String(port + 10), ...flags], { stdio: "ignore" });
  return join(folder, "kubeconfig");
}

/** Starts the server of this checkout on the port N + 10, with the certificates of v1.29's. Resolves when it is ready. */
export async function startGatehouse({ dir, file, port, left, right }, flags) {
  const pki = file("oracle/pki");
  background(dir, "gatehouse", process.execPath, [
    "server/bundle/gatehouse-apiserver.js",
    ...["--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", `--secure-port=${port + 10}`],
    ...[`--cert-dir=${file("pki")}`, `--tls-cert-file=${pki}/server.crt`, `--tls-private-key-file=${pki}/server.key`],
    ...[`--client-ca-file=${pki}/ca.crt`, `--root-ca-file=${pki}/ca.crt`, `--data-dir=${file("store")}`],
    ...["--service-account-issuer=https://kubernetes.default.svc", `--service-account-key-file=${pki}/sa.pub`],
    ...[`--service-account-signing-key-file=${pki}/sa.key`, "--service-cluster-ip-range=10.0.0.0/24"],
    ...flags,
  ]);
  const kubeconfig = readFileSync(right, "utf8");
  writeFileSync(left, kubeconfig.replaceAll(`:${port}`, `:${port + 10}`), { mode: 0o600 });
  await untilAnswered(left, ["get", "--raw", "/readyz"]);
}

/** Prints the flags for run.mjs. */
export function printPair(left, right) {
  console.log(`--left ${left} --right ${right}`);
}
