#!/usr/bin/env node
// Starts v1.29's server and the server of this checkout (built), both on empty stores, and behind each of them
// Kubernetes' sample-apiserver with an etcd of its own, delegated authentication and delegated authorization. Prints the
// flags for run.mjs: the area `aggregation`.
//   node test/differential/start-with-sample-apiserver.mjs --oracle FOLDER --dir DIR --port N [--left sample|wardle] [--front gatehouse|oracle]
//   node test/differential/start-with-sample-apiserver.mjs --oracle FOLDER --dir DIR --stop
// `--oracle` is a folder with `start.sh` and `stop.sh`, which run v1.29's server; DIR is an absolute path. Uses the ports N
// to N + 36. `--left wardle` puts examples/wardle (built) on the left in the place of sample-apiserver, and `--front oracle`
// puts v1.29's server in front of that, too. Programs of v1.29 are those in ORACLE_BIN, by default ~/.cache/gatehouse-oracle.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { apiServiceNames, objectsOf } from "./lib/aggregation/registration.mjs";
import { background, stopAll, untilAnswered } from "./lib/started-programs.mjs";

const text = { type: "string" };
const { values: flags } = parseArgs({
  options: { oracle: text, dir: text, port: text, left: text, front: text, stop: { type: "boolean" } },
});
const { oracle, dir, port: portText = "0", left = "sample", front = "gatehouse" } = flags;
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
  for (const name of ["oracle/etcd", "left-oracle/etcd", "store", "etcd-left", "etcd-right", "wardle-store"]) {
    rmSync(file(name), { recursive: true, force: true });
  }
  mkdirSync(dir, { recursive: true });
  makeCertificates();
  const proxyFlags = [
    `--requestheader-client-ca-file=${file("proxy-ca.crt")}`,
    "--requestheader-allowed-names=front-proxy-client",
    "--requestheader-username-headers=X-Remote-User",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    `--proxy-client-cert-file=${file("proxy-client.crt")}`,
    `--proxy-client-key-file=${file("proxy-client.key")}`,
    "--authorization-mode=RBAC",
  ];
  execFileSync(join(oracle, "start.sh"), [file("oracle"), String(port), ...proxyFlags], { stdio: "ignore" });
  const kubeconfigOfLeft = front === "oracle" ? startOracle(port + 10, proxyFlags) : startGatehouse(port, proxyFlags);
  await untilAnswered(kubeconfigOfLeft, ["get", "--raw", "/readyz"]);
  await Promise.all([
    startBehind("left", left, kubeconfigOfLeft, port + 20),
    startBehind("right", "sample", file("oracle/kubeconfig"), port + 30),
  ]);
  console.log(`--left ${kubeconfigOfLeft} --right ${file("oracle/kubeconfig")}`);
}

/** Starts a second server of v1.29, with the keys and the users of the first. Returns its kubeconfig. */
function startOracle(port, proxyFlags) {
  const folder = file("left-oracle");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(file("oracle/pki"), join(folder, "pki"), { recursive: true });
  cpSync(file("oracle/tokens.csv"), join(folder, "tokens.csv"));
  execFileSync(join(oracle, "start.sh"), [folder, String(port), ...proxyFlags], { stdio: "ignore" });
  return join(folder, "kubeconfig");
}

/** Starts the server of this checkout with the keys and the users of v1.29's. Returns its kubeconfig. */
function startGatehouse(port, proxyFlags) {
  const pki = file("oracle/pki");
  background(dir, "gatehouse", process.execPath, [
    "server/bundle/gatehouse-apiserver.js",
    ...["--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", `--secure-port=${port + 10}`],
    ...[`--cert-dir=${file("pki")}`, `--tls-cert-file=${pki}/server.crt`, `--tls-private-key-file=${pki}/server.key`],
    ...[`--client-ca-file=${pki}/ca.crt`, `--root-ca-file=${pki}/ca.crt`, `--data-dir=${file("store")}`],
    ...["--service-account-issuer=https://kubernetes.default.svc", `--service-account-key-file=${pki}/sa.pub`],
    ...[`--service-account-signing-key-file=${pki}/sa.key`, "--service-cluster-ip-range=10.0.0.0/24"],
    ...[`--token-auth-file=${file("oracle/tokens.csv")}`, "--controllers=kube-apiserver"],
    ...proxyFlags,
  ]);
  const kubeconfig = readFileSync(file("oracle/kubeconfig"), "utf8");
  writeFileSync(file("kubeconfig"), kubeconfig.replaceAll(`:${port}`, `:${port + 10}`), { mode: 0o600 });
  return file("kubeconfig");
}

/** Starts an API server behind the server of a kubeconfig, on the ports from `port` on, and registers it there. */
async function startBehind(side, program, kubeconfig, port) {
  const [client, peer] = [port + 1, port + 2].map((number) => `http://127.0.0.1:${number}`);
  background(dir, `etcd-of-sample-${side}`, join(programs, "etcd"), [
    ...["--data-dir", file(`etcd-${side}`), "--listen-client-urls", client, "--advertise-client-urls", client],
    ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer],
    ...["--initial-cluster", `default=${peer}`, "--log-level", "warn"],
  ]);
  const commands = {
    sample: [join(programs, "sample-apiserver")],
    wardle: [process.execPath, "examples/wardle/dist/main.js", `--data-dir=${file("wardle-store")}`],
  };
  const [command, ...first] = commands[program];
  const delegated = ["kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig"];
  background(dir, `${program}-${side}`, command, [
    ...first,
    ...["--bind-address=127.0.0.1", `--secure-port=${port}`, `--etcd-servers=${client}`],
    ...[`--tls-cert-file=${file("sample.crt")}`, `--tls-private-key-file=${file("sample.key")}`],
    ...delegated.map((flag) => `--${flag}=${kubeconfig}`),
  ]);
  const objects = objectsOf({ port, caBundle: readFileSync(file("sample-ca.crt")).toString("base64") });
  writeFileSync(file(`objects-${side}.json`), JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
  execFileSync("kubectl", ["--kubeconfig", kubeconfig, "apply", "-f", file(`objects-${side}.json`)], {
    stdio: "ignore",
  });
  for (const name of apiServiceNames) {
    const path = `/apis/apiregistration.k8s.io/v1/apiservices/${name}`;
    await untilAnswered(kubeconfig, ["get", "--raw", path], (body) => body.includes('"reason":"Passed"'));
  }
  // v1.29 downloads OpenAPI documents a second after a server is registered, and again a minute after a failure.
  await untilAnswered(kubeconfig, ["get", "--raw", "/openapi/v3"], (body) => body.includes("wardle"));
  await untilAnswered(kubeconfig, ["get", "--raw", "/openapi/v2"], (body) => body.includes("wardle"));
}

/** Makes the certificates of the front proxy and of the sample-apiservers. */
function makeCertificates() {
  const openssl = (...args) => execFileSync("openssl", args, { cwd: dir, stdio: "ignore" });
  for (const [authority, name, subject, extension] of [
    ["proxy-ca", "proxy-client", "/CN=front-proxy-client", "extendedKeyUsage=clientAuth"],
    ["sample-ca", "sample", "/CN=sample-apiserver", "subjectAltName=DNS:api.wardle.svc"],
  ]) {
    const key = ["-newkey", "rsa:2048", "-nodes"];
    openssl(
      "req",
      "-x509",
      ...key,
      "-keyout",
      `${authority}.key`,
      "-out",
      `${authority}.crt`,
      "-subj",
      `/CN=${authority}`,
    );
    openssl("req", ...key, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", subject);
    writeFileSync(file("extensions"), extension);
    openssl(
      ...["x509", "-req", "-in", `${name}.csr`, "-CA", `${authority}.crt`, "-CAkey", `${authority}.key`],
      ...["-CAcreateserial", "-out", `${name}.crt`, "-days", "3650", "-extfile", "extensions"],
    );
  }
}
