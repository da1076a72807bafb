import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { connect } from "node:tls";
import { promisify } from "node:util";
import { FaceClient } from "../etcd-face/face-under-test.js";
import { gatehouseScript } from "../support/programs.js";
import { until } from "../support/until.js";
import { EnvtestPair } from "./pair.js";

const run = promisify(execFile);
const install = (folder: string) => run(process.execPath, [gatehouseScript, "envtest", "install", folder]);

describe("kube-apiserver and etcd for test harnesses", () => {
  let binaries: string;
  before(async () => {
    binaries = await mkdtemp(join(tmpdir(), "gatehouse-envtest-"));
    const { stdout } = await install(binaries);
    assert.match(stdout, /export KUBEBUILDER_ASSETS=/);
  });
  after(() => rm(binaries, { recursive: true, force: true }));

  it("tells its flags without a start of Node, and knows no insecure port", async () => {
    const env = { PATH: "/nowhere:/bin:/usr/bin", NODE_OPTIONS: "--no-such-option" };
    const etcd = await run(join(binaries, "etcd"), ["--help"], { env });
    assert.match(etcd.stdout, /^\s*--unsafe-no-fsync\b/m);
    const apiServer = await run(join(binaries, "kube-apiserver"), ["--help"], { env });
    assert.match(apiServer.stdout, /^\s*--authorization-mode\b/m);
    assert.doesNotMatch(apiServer.stdout, /^\s*--insecure-port\b/m);
  });

  it("replaces its own programs, and no others", async () => {
    await install(binaries);
    const foreign = await mkdtemp(join(tmpdir(), "gatehouse-foreign-"));
    await writeFile(join(foreign, "etcd"), "#!/bin/sh\n");
    await assert.rejects(install(foreign), /etcd: is another program; choose an empty folder, or remove it first/);
    assert.equal(existsSync(join(foreign, "kube-apiserver")), false);
    await rm(foreign, { recursive: true });
  });

  it("starts and stops as envtest does, with the certificate that lies there, and nothing that envtest lacks", async () => {
    await using pair = await EnvtestPair.prepare(binaries);
    const { etcd, apiServer } = await pair.startBoth();
    assert.deepEqual(await (await fetch(`${pair.etcdUrl}/health`)).json(), { health: "true", reason: "" });
    assert.equal((await pair.get("/readyz")).body, "ok");
    assert.equal(await servedCertificate(pair.place.securePort), serialOf(pair.place.serving.certificatePem));
    assert.equal((await pair.get("/api/v1/namespaces/default")).status, 200);
    const created = { apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } };
    assert.equal((await pair.send("POST", "/api/v1/namespaces", created)).status, 201);
    assert.equal((await pair.send("DELETE", "/api/v1/namespaces/default")).status, 403);
    for (const resource of ["serviceaccounts", "configmaps"]) {
      const { items } = JSON.parse((await pair.get(`/api/v1/namespaces/team/${resource}`)).body) as {
        items: unknown[];
      };
      assert.deepEqual(items, [], resource);
    }
    apiServer.signal("SIGTERM");
    assert.equal(await apiServer.ended, 0);

    const again = pair.start("kube-apiserver", pair.apiServerArguments());
    await pair.apiServerIsHealthy(again);
    assert.equal((await pair.get("/api/v1/namespaces/team")).status, 200);
    for (const program of [again, etcd]) {
      process.kill(-program.pid, "SIGTERM"); // the group, as envtest does from controller-runtime v0.24 on
      assert.equal(await program.ended, 0);
    }
  });

  it("takes the command line of fabric8's kube-api-test, whose etcd is not waited for", async () => {
    await using pair = await EnvtestPair.prepare(binaries);
    const { certDir, dataDir, etcdPort, peerPort, securePort } = pair.place;
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const keyFile = join(certDir, "rsa.key");
    await writeFile(keyFile, privateKey.export({ type: "pkcs8", format: "pem" }));
    const apiServer = pair.start("kube-apiserver", [
      ...["--cert-dir", certDir, "--secure-port", String(securePort), "--etcd-servers", `http://0.0.0.0:${etcdPort}`],
      ...["--authorization-mode", "RBAC", "--service-account-issuer", "https://localhost"],
      ...["--service-account-signing-key-file", keyFile],
      ...["--service-account-signing-key-file", keyFile],
      ...["--service-account-key-file", keyFile],
      ...["--service-account-issuer", join(certDir, "apiserver.crt"), "--disable-admission-plugins", "ServiceAccount"],
      ...["--client-ca-file", join(certDir, "client.crt"), "--service-cluster-ip-range", "10.0.0.0/24"],
      "--allow-privileged",
    ]);
    const clientUrl = `http://0.0.0.0:${etcdPort}`;
    const etcd = pair.start("etcd", [
      ...["-data-dir", dataDir, "-wal-dir", join(dataDir, "wal"), "--listen-client-urls", clientUrl],
      ...["--advertise-client-urls", clientUrl, "--initial-cluster", `default=http://localhost:${peerPort}`],
      ...["--initial-advertise-peer-urls", `http://localhost:${peerPort}`],
      ...["--listen-peer-urls", `http://localhost:${peerPort}`],
    ]);
    await pair.etcdIsHealthy(etcd);
    await pair.apiServerIsHealthy(apiServer);
    assert.equal(
      (await pair.get("/api/v1/namespaces/default")).status,
      200,
      "the client certificate is its own authority",
    );
    assert.match(etcd.output(), /is served at http:\/\/127\.0\.0\.1:\d+ alone/);
  });

  it("says in its log which flags and gates of other releases have no effect", async () => {
    await using pair = await EnvtestPair.prepare(binaries);
    await pair.etcdIsHealthy(
      pair.start("etcd", [...pair.etcdArguments(), "--experimental-peer-skip-client-san-verification"]),
    );
    const apiServer = pair.start(
      "kube-apiserver",
      [...pair.apiServerArguments(), "--feature-gates=NoSuchGate=true,APIListChunking=true", "--no-such-flag", "value"],
      { GATEHOUSE_ENVTEST: "controllers" },
    );
    await pair.apiServerIsHealthy(apiServer);
    assert.match(apiServer.output(), /--no-such-flag is not a flag of kube-apiserver v1\.29; it has no effect/);
    assert.match(apiServer.output(), /--feature-gates: unrecognized feature gate: NoSuchGate; it has no effect/);
    await until("the controllers that GATEHOUSE_ENVTEST asks for have made the ServiceAccount", async () => {
      return (await pair.get("/api/v1/namespaces/default/serviceaccounts/default")).status === 200;
    });
  });

  it("takes from etcd's flags what clients can tell, and refuses values that are none", async () => {
    await using pair = await EnvtestPair.prepare(binaries);
    const limits = [
      "--max-txn-ops=1",
      "--max-request-bytes=2000",
      "--experimental-watch-progress-notify-interval=100ms",
    ];
    await pair.etcdIsHealthy(pair.start("etcd", [...pair.etcdArguments(), ...limits]));
    using client = await FaceClient.open(pair.etcdUrl);
    const watch = client.watch({ key: Buffer.from("quiet"), progressNotify: true });
    await until("progress is told twice", () => watch.seen.length >= 3);
    watch.end();
    const put = { requestPut: { key: Buffer.from("key") } };
    await assert.rejects(client.call(client.api.kv.Txn, { success: [put, put] }), /too many operations in txn request/);
    await assert.rejects(client.put("key", "v".repeat(2000)), /request is too large/);
    const wrong = pair.start("etcd", [...pair.etcdArguments(), "--max-txn-ops=many"]);
    assert.equal(await wrong.ended, 1);
    assert.match(wrong.output(), /invalid value "many" for flag -max-txn-ops: parse error/);
  });

  it("ends with the words of Go when its port is in use", async () => {
    await using pair = await EnvtestPair.prepare(binaries);
    await pair.etcdIsHealthy(pair.start("etcd", pair.etcdArguments()));
    const second = pair.start("etcd", pair.etcdArguments());
    assert.equal(await second.ended, 1);
    assert.match(second.output(), /address already in use/);
    const holder = createServer().listen(pair.place.securePort, "127.0.0.1");
    const apiServer = pair.start("kube-apiserver", pair.apiServerArguments());
    assert.equal(await apiServer.ended, 1);
    assert.match(apiServer.output(), /address already in use/);
    holder.close();
  });

  it("ends when its parent is killed, and leaves none of envtest's folders behind", async () => {
    await using pair = await EnvtestPair.prepare(binaries);
    const commands = [
      ["etcd", pair.etcdArguments()],
      ["kube-apiserver", pair.apiServerArguments()],
    ] as const;
    const harness = `
      const { spawn } = require("node:child_process");
      for (const [name, argv] of ${JSON.stringify(commands)}) {
        spawn(${JSON.stringify(binaries)} + "/" + name, argv, { detached: true, stdio: "ignore" });
      }`;
    const parent = spawn(process.execPath, ["-e", harness], { stdio: "ignore" });
    await until("the API server is healthy", async () => {
      return (await pair.get("/healthz", "anonymous").catch(() => undefined))?.status === 200;
    });
    parent.kill("SIGKILL");
    await until("both have ended", async () => {
      const answers = await Promise.all([
        pair.get("/healthz", "anonymous").catch(() => undefined),
        fetch(`${pair.etcdUrl}/health`).catch(() => undefined),
      ]);
      return answers.every((answer) => answer === undefined);
    });
    await until(
      "the folders are gone",
      () => ![pair.place.certDir, pair.place.dataDir].some((path) => existsSync(path)),
    );
  });
});

/** Returns the serial number of the certificate that a server shows. */
function servedCertificate(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.serialNumber ?? "");
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

function serialOf(pem: string): string {
  return new X509Certificate(pem).serialNumber;
}
