import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpClient, type HttpClient } from "@gatehouse/component-base/http-client";
import { type ClientConfig, writeKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { type ControlPlaneCertificates, createCertificates } from "@gatehouse/testing/certificates";
import { freePort } from "./free-port.js";
import { showLogOnFailure } from "./show-log-on-failure.js";
import { until } from "./until.js";

/** A real kube-apiserver with an etcd of its own, on 127.0.0.1. Everybody may do everything there, unless flags say otherwise. */
export interface PeerServer extends AsyncDisposable {
  kubeconfigFile(): Promise<string>;
  /** Requests as the administrator. */
  readonly client: HttpClient;
  /** The settings of a client without credentials. */
  readonly anonymousConfig: ClientConfig;
  /** The URL of its etcd. */
  readonly etcdUrl: string;
  /** The authority that signs the certificates of the server and of its clients. */
  readonly certificates: ControlPlaneCertificates;
}

const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
const binaries = process.env["ORACLE_BIN"] ?? join(cache, "gatehouse-oracle");

/** The reason for the absence of a peer; undefined when there is one. */
export const noPeer: string | undefined = ["kube-apiserver", "etcd"].every((name) => existsSync(join(binaries, name)))
  ? undefined
  : "no kube-apiserver and etcd in ORACLE_BIN or the cache folder";

/** Starts the peer and waits until it is ready. `flagsFor` makes more flags of its certificates. */
export async function startPeerServer(
  given: readonly string[] = [],
  flagsFor: (certificates: ControlPlaneCertificates) => readonly string[] = () => [],
): Promise<PeerServer> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-peer-"));
  const file = (name: string): string => join(folder, name);
  const pki = await createCertificates(folder);
  const flags = [...given, ...flagsFor(pki)];
  const isGiven = (name: string): boolean => flags.some((flag) => flag.startsWith(`--${name}=`));
  const admin = await pki.clientCertificate("kubernetes-admin", ["system:masters"]);
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await writeFile(file("sa.key"), privateKey.export({ type: "pkcs1", format: "pem" }));
  await writeFile(file("sa.pub"), publicKey.export({ type: "spki", format: "pem" }));
  const [port, etcdPort, etcdPeerPort] = [await freePort(), await freePort(), await freePort()];
  let log = "";
  showLogOnFailure(() => log);
  const start = (program: string, args: readonly string[]): ChildProcess => {
    const child = spawn(join(binaries, program), args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        log += text;
      });
    }
    return child;
  };
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const etcd = start("etcd", [
    "--data-dir=etcd",
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${etcdPeerPort}`,
    "--log-level=warn",
    "--unsafe-no-fsync",
  ]);
  const server = start("kube-apiserver", [
    // Repeated, these would add an etcd and a mode.
    ...(isGiven("etcd-servers") ? [] : [`--etcd-servers=${etcdUrl}`]),
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    `--secure-port=${port}`,
    `--tls-cert-file=${pki.serverCertFile}`,
    `--tls-private-key-file=${pki.serverKeyFile}`,
    `--client-ca-file=${pki.caFile}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${file("sa.pub")}`,
    `--service-account-signing-key-file=${file("sa.key")}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    ...(isGiven("authorization-mode") ? [] : ["--authorization-mode=AlwaysAllow"]),
    "--disable-admission-plugins=ServiceAccount",
    ...flags,
  ]);
  const url = new URL(`https://127.0.0.1:${port}`);
  const clientCertificate = { certificatePem: admin.certificatePem, keyPem: admin.keyPem };
  const anonymousConfig: ClientConfig = {
    server: url,
    certificateAuthorityPem: pki.authority.certificatePem,
    insecureSkipTlsVerify: false,
  };
  const client = createHttpClient({ config: { ...anonymousConfig, clientCertificate } });
  await writeKubeconfig(file("kubeconfig"), {
    clusterName: "peer",
    server: url.origin,
    certificateAuthorityPem: pki.authority.certificatePem,
    userName: "kubernetes-admin",
    clientCertificatePem: admin.certificatePem,
    clientKeyPem: admin.keyPem,
  });
  const stop = async (): Promise<void> => {
    client[Symbol.dispose]();
    for (const child of [server, etcd]) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "close");
      }
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until("the peer is ready", async () => {
      if (server.exitCode !== null) {
        throw new Error("the peer has ended before it was ready");
      }
      const signal = new AbortController().signal;
      const answer = await client.request({ path: "/readyz", signal, timeoutMs: 5000 }).catch(() => undefined);
      return answer?.status === 200;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    kubeconfigFile: async () => file("kubeconfig"),
    client,
    anonymousConfig,
    etcdUrl,
    certificates: pki,
    [Symbol.asyncDispose]: stop,
  };
}
