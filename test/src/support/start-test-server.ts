import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpClient, type HttpClient } from "@gatehouse/component-base/http-client";
import { type ClientConfig, writeKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { type ServerProcess, spawnServer } from "./server-process.js";
import { showLogOnFailure } from "./show-log-on-failure.js";
import { createTestPki, type TestPki } from "./test-pki.js";
import { until } from "./until.js";

export interface TestServerOptions {
  /** Flags in addition to those about certificates, address and data; a later one wins over an earlier one. */
  readonly flags?: readonly string[];
  /** More of them, which need what is made for the server. */
  readonly flagsFor?: (pki: TestPki) => Promise<readonly string[]>;
}

/** A real API server in a process of its own, on 127.0.0.1, with its own authority and an empty store. */
export interface TestServer extends AsyncDisposable {
  /** `https://127.0.0.1:port`; stays the same over restarts. */
  readonly url: string;
  readonly port: number;
  /** For kubectl: the administrator (`kubernetes-admin`, group `system:masters`) by client certificate. */
  readonly kubeconfigPath: string;
  /** What the server stores. */
  readonly dataDir: string;
  /** A folder for the files of the test; removed at the end. */
  readonly folder: string;
  /** Requests as the administrator. */
  readonly client: HttpClient;
  /** How the administrator connects, for tests that need a client of their own. */
  readonly clientConfig: ClientConfig;
  /** How to connect without any credentials. */
  readonly anonymousConfig: ClientConfig;
  readonly pki: TestPki;
  readonly pid: number;
  /** Everything the server has logged, over all restarts. */
  log(): string;
  /** Sends the signal and waits for the end; resolves to the exit code, `null` when the signal ended the process. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Starts it again on the same data, certificates and port, after SIGTERM if it still runs; waits until ready. */
  restart(): Promise<void>;
  /** SIGTERM, and the removal of all files. Disposal does the same. */
  stop(): Promise<void>;
}

/**
 * Starts `gatehouse-apiserver` and waits until it is ready. When a test of the file fails, the server's log is shown.
 * Use as `await using server = await startTestServer()`, or stop it in an `after` hook.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-test-"));
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  const pki = await createTestPki(folder);
  const moreFlags = await options.flagsFor?.(pki);
  let log = "";
  showLogOnFailure(() => log);

  async function start(port: number): Promise<{ readonly process: ServerProcess; readonly port: number }> {
    const flags = [
      "--bind-address=127.0.0.1",
      `--secure-port=${port}`,
      `--tls-cert-file=${pki.serverCertFile}`,
      `--tls-private-key-file=${pki.serverKeyFile}`,
      `--client-ca-file=${pki.caFile}`,
      `--data-dir=${dataDir}`,
      ...(options.flags?.some((flag) => flag.startsWith("--service-account-issuer=")) ? [] : pki.serviceAccountFlags),
      // Where everybody may do everything, nobody misses the roles, and to make them takes as long as to start.
      ...(options.flags?.some((flag) => /^--(?:authorization-|controllers=)/.test(flag))
        ? []
        : ["--controllers=*,-bootstrap-roles"]),
      ...(options.flags ?? []),
      ...(moreFlags ?? []),
    ];
    const process = spawnServer(flags, (text) => {
      log += text;
    });
    return { process, port: await process.serving() };
  }

  const [started, admin] = await Promise.all([start(0), pki.clientCertificate("kubernetes-admin", ["system:masters"])]);
  const { port } = started;
  let current = started.process;
  const url = `https://127.0.0.1:${port}`;
  const anonymousConfig: ClientConfig = {
    server: new URL(url),
    certificateAuthorityPem: pki.authority.certificatePem,
    insecureSkipTlsVerify: false,
  };
  const clientConfig: ClientConfig = { ...anonymousConfig, clientCertificate: admin };
  const client = createHttpClient({ config: clientConfig });
  const kubeconfigPath = join(folder, "kubeconfig");
  await writeKubeconfig(kubeconfigPath, {
    clusterName: "test",
    server: url,
    certificateAuthorityPem: pki.authority.certificatePem,
    userName: "kubernetes-admin",
    clientCertificatePem: admin.certificatePem,
    clientKeyPem: admin.keyPem,
  });

  async function stop(): Promise<void> {
    client[Symbol.dispose]();
    await current.kill("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await waitUntilReady(client);
  } catch (error) {
    // A process left behind would keep the test process from ending.
    await stop();
    throw error;
  }

  return {
    url,
    port,
    kubeconfigPath,
    dataDir,
    folder,
    client,
    clientConfig,
    anonymousConfig,
    pki,
    get pid() {
      return current.pid;
    },
    log: () => log,
    kill: (signal) => current.kill(signal),
    async restart() {
      await current.kill("SIGTERM");
      current = (await start(port)).process;
      await waitUntilReady(client);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function waitUntilReady(client: HttpClient): Promise<void> {
  await until("the server is ready", async () => {
    const { status } = await client.request({
      path: "/readyz",
      signal: new AbortController().signal,
      timeoutMs: 10_000,
    });
    return status === 200;
  });
}
