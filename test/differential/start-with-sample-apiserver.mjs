#!/usr/bin/env node
// Starts v1.29's server and the server of this checkout (built), both on empty stores, and behind each of them
// Kubernetes' sample-apiserver with an etcd of its own, delegated authentication and delegated authorization. Prints the
// flags for run.mjs: the area `aggregation`, with `--controllers yes` the area `aggregation-controllers`.
//   node test/differential/start-with-sample-apiserver.mjs --oracle FOLDER --dir DIR --port N [--left sample|wardle] [--front gatehouse|oracle] [--controllers no|yes]
//   node test/differential/start-with-sample-apiserver.mjs --oracle FOLDER --dir DIR --stop
// `--oracle` is a folder with `start.sh` and `stop.sh`, which run v1.29's server; DIR is an absolute path. Uses the ports N
// to N + 36. `--left wardle` puts examples/wardle (built) on the left in the place of sample-apiserver, and `--front oracle`
// puts v1.29's server in front of that, too. `--controllers yes` runs the controllers of kube-controller-manager. Programs of v1.29 are those in ORACLE_BIN, by default ~/.cache/gatehouse-oracle.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiServiceNames, objectsOf } from "./lib/aggregation/registration.mjs";
import {
  preparePair,
  printPair,
  programs,
  startGatehouse,
  startOracle,
  startSecondOracle,
} from "./lib/server-pair.mjs";
import { background, untilAnswered } from "./lib/started-programs.mjs";

const pair = await preparePair(["etcd-left", "etcd-right", "wardle-store"], {
  left: "sample",
  front: "gatehouse",
  controllers: "no",
});
if (pair !== undefined) {
  await start(pair);
}

async function start({ file, port, flags, right }) {
  makeCertificates(pair);
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
  startOracle(pair, proxyFlags, { hasControllers: flags.controllers === "yes" });
  const left = flags.front === "oracle" ? startSecondOracle(pair, proxyFlags) : await startFront(pair, proxyFlags);
  await Promise.all([
    startBehind(pair, "left", flags.left, left, port + 20),
    startBehind(pair, "right", "sample", right, port + 30),
  ]);
  printPair(left, right);
}

/** Starts the server of this checkout. Returns its kubeconfig. */
async function startFront({ file, flags, left }, proxyFlags) {
  const tokens = `--token-auth-file=${file("oracle/tokens.csv")}`;
  await startGatehouse(pair, [
    tokens,
    `--controllers=${flags.controllers === "yes" ? "*" : "kube-apiserver"}`,
    ...proxyFlags,
  ]);
  return left;
}

/** Starts an API server behind the server of a kubeconfig, on the ports from `port` on, and registers it there. */
async function startBehind({ dir, file }, side, program, kubeconfig, port) {
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
function makeCertificates({ dir, file }) {
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
