import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerRun } from "@gatehouse/testing/process";
import { spawnServer } from "../support/server-program.js";
import { until } from "../support/until.js";

/** The command `gatehouse-apiserver etcd` on a data directory of its own, which disposal removes. */
export class ServedFace implements AsyncDisposable {
  readonly folder: string;
  readonly #flags: readonly string[];
  #run: ServerRun | undefined;
  #output = "";
  #url = "";

  /** Starts the command on a free port of the loopback address; resolves when it listens. */
  static async start(flags: readonly string[] = []): Promise<ServedFace> {
    const face = new ServedFace(await mkdtemp(join(tmpdir(), "gatehouse-face-")), flags);
    await face.start("http://127.0.0.1:0");
    return face;
  }

  private constructor(folder: string, flags: readonly string[]) {
    this.folder = folder;
    this.#flags = flags;
  }

  /** The address that clients use. */
  get url(): string {
    return this.#url;
  }

  /** Starts the command again, on the same data and port. */
  async start(listenUrl: string = this.#url): Promise<void> {
    this.#output = "";
    const argv = ["etcd", "--data-dir", this.folder, "--listen-etcd-urls", listenUrl, ...this.#flags];
    this.#run = spawnServer(argv, (text) => {
      this.#output += text;
    });
    await until("the etcd API is served", () => {
      this.#url = /urls=(\S+)/.exec(this.#output)?.[1] ?? this.#url;
      return /serving the store/.test(this.#output);
    });
  }

  /** Ends the process. */
  async end(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    await this.#run?.kill(signal);
    this.#run = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    await rm(this.folder, { recursive: true, force: true });
  }
}
