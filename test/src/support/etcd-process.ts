import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { access, mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "./free-port.js";
import { until } from "./until.js";

/**
 * Returns the etcd on PATH, or the reason why there is none, for tests to be skipped with. With REQUIRE_PEERS=1, which CI
 * sets, that is a failure.
 */
export async function findEtcd(
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly path: string } | { readonly skip: string }> {
  const given = env["GATEHOUSE_ETCD"];
  const paths =
    given === undefined ? (env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "etcd")) : [given];
  for (const path of paths) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) {
      return { path };
    }
  }
  if (env["REQUIRE_PEERS"] === "1") {
    throw new Error("REQUIRE_PEERS=1 is set, and there is no etcd on PATH");
  }
  return { skip: "there is no etcd on PATH" };
}

/** TLS files of a member; clients must show a certificate of `caFile`. */
export interface EtcdTlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/** How an etcd is started. */
export interface EtcdOptions {
  readonly path: string;
  readonly args?: readonly string[];
  readonly tls?: EtcdTlsFiles;
}

/** An etcd of one member with a data folder of its own. Disposal ends it and removes the data. */
export class EtcdProcess implements AsyncDisposable {
  readonly url: string;
  readonly #options: EtcdOptions;
  readonly #folder: string;
  readonly #peerUrl: string;
  #child: ChildProcess | undefined;

  /** Starts an etcd; resolves when it answers. */
  static async start(options: EtcdOptions): Promise<EtcdProcess> {
    const [port, peerPort] = [await freePort(), await freePort()];
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-etcd-"));
    const etcd = new EtcdProcess(options, { folder, port, peerPort });
    await etcd.start();
    return etcd;
  }

  private constructor(options: EtcdOptions, place: { folder: string; port: number; peerPort: number }) {
    this.#options = options;
    this.#folder = place.folder;
    this.url = `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${place.port}`;
    this.#peerUrl = `http://127.0.0.1:${place.peerPort}`;
  }

  /** Starts the process again, with the same data and ports. */
  async start(): Promise<void> {
    const { path, args = [], tls } = this.#options;
    const tlsArgs =
      tls === undefined
        ? []
        : [
            ...["--cert-file", tls.certFile, "--key-file", tls.keyFile],
            ...["--trusted-ca-file", tls.caFile, "--client-cert-auth"],
          ];
    const child = spawn(
      path,
      [
        ...["--data-dir", join(this.#folder, "data"), "--log-level", "error", "--logger", "zap"],
        ...["--listen-client-urls", this.url, "--advertise-client-urls", this.url],
        ...["--listen-peer-urls", this.#peerUrl, "--initial-advertise-peer-urls", this.#peerUrl],
        ...["--initial-cluster", `default=${this.#peerUrl}`, ...tlsArgs, ...args],
      ],
      { stdio: "ignore" },
    );
    this.#child = child;
    await until("etcd listens", async () => {
      if (child.exitCode !== null) {
        throw new Error(`etcd has ended with ${child.exitCode}`);
      }
      return canConnect(new URL(this.url));
    });
  }

  /** Sends the process a signal; waits for its end when that is what the signal brings. */
  async signal(name: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      return;
    }
    const ended = name === "SIGKILL" || name === "SIGTERM" ? once(child, "exit") : undefined;
    child.kill(name);
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.signal("SIGKILL");
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function canConnect({ port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
