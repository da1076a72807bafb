import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { writeKubeconfig } from "@gatehouse/component-base/kubeconfig";
import type { ControlPlaneCertificates } from "@gatehouse/testing/certificates";
import { runProgram, type ServerRun } from "@gatehouse/testing/process";
import { showLogOnFailure } from "../support/show-log-on-failure.js";

const sinkScript = fileURLToPath(new URL("sink-main.js", import.meta.resolve("@gatehouse/audit-sink")));

/** Settings of a sink under test. */
export interface SinkOptions {
  readonly name: string;
  readonly folder: string;
  readonly pki: ControlPlaneCertificates;
  readonly pipelines: readonly object[];
  /** Further members of the configuration. */
  readonly rest?: Readonly<Record<string, unknown>>;
}

/** A pipeline into a file that delivers at once, and again soon after a failure. */
export function promptPipeline(path: string, file: Readonly<Record<string, unknown>> = {}): object {
  return {
    name: "file",
    batching: { maxWait: "20ms" },
    retry: { initialBackoff: "20ms", maxBackoff: "100ms" },
    output: { file: { path, ...file } },
  };
}

/** A sink that can be killed and started again on the same port. Its senders have certificates of the name `sender`. */
export class SinkProcess implements AsyncDisposable {
  readonly #options: SinkOptions;
  #process: ServerRun | undefined;
  #port = 0;
  #output = "";

  constructor(options: SinkOptions) {
    this.#options = options;
    showLogOnFailure(() => this.#output);
  }

  get port(): number {
    return this.#port;
  }

  get logDirectory(): string {
    return join(this.#options.folder, `${this.#options.name}-log`);
  }

  /** Text that the process has written to its log. */
  get output(): string {
    return this.#output;
  }

  async start(): Promise<void> {
    const { name, folder, pki, pipelines, rest } = this.#options;
    const file = join(folder, `${name}.json`);
    const parties = [{ name: "test", commonNames: ["sender"] }];
    const configuration = {
      apiVersion: "config.gatehouse.dev/v1alpha1",
      kind: "AuditSinkConfiguration",
      serving: {
        bindAddress: "127.0.0.1",
        port: this.#port,
        certFile: pki.serverCertFile,
        keyFile: pki.serverKeyFile,
        clientCAFile: pki.caFile,
      },
      senders: parties,
      readers: parties,
      log: { directory: this.logDirectory, segmentBytes: "256Ki" },
      pipelines,
      ...rest,
    };
    await writeFile(file, JSON.stringify(configuration));
    this.#process = runProgram(
      { script: sinkScript, nodeOptions: ["--enable-source-maps"] },
      [`--config=${file}`, "--logging-format=text"],
      (text) => {
        this.#output += text;
      },
    );
    this.#port = await this.#process.serving;
  }

  /** Sends the signal and waits for the end of the process. */
  async kill(signal: NodeJS.Signals): Promise<number | null> {
    return (await this.#process?.kill(signal)) ?? null;
  }

  /** A kubeconfig with which an API server, or another sink, sends to this one. */
  async kubeconfig(): Promise<string> {
    const { name, folder, pki } = this.#options;
    const path = join(folder, `${name}.kubeconfig`);
    const client = await pki.clientCertificate("sender", []);
    await writeKubeconfig(path, {
      clusterName: name,
      server: `https://127.0.0.1:${this.#port}/audit`,
      certificateAuthorityPem: pki.authority.certificatePem,
      userName: "sender",
      clientCertificatePem: client.certificatePem,
      clientKeyPem: client.keyPem,
    });
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill("SIGKILL");
  }
}

/** The events in the files of an output, oldest first; the last one may be just being written. */
export async function eventsIn(path: string): Promise<readonly { readonly auditID: string; readonly stage: string }[]> {
  const text = await textIn(path);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/**
 * Returns the content of the output files, read while none was renamed or packed: that would show lines twice or never.
 */
async function textIn(path: string): Promise<string> {
  for (;;) {
    const names = await outputFiles(path);
    const texts = await Promise.all(names.map(readOutput));
    if ((await outputFiles(path)).join() === names.join() && !texts.includes(undefined)) {
      return texts.join("");
    }
  }
}

/** Oldest first. A file that is being packed, or was when the output was killed, is whole under its first name. */
async function outputFiles(path: string): Promise<readonly string[]> {
  const folder = dirname(path);
  const names = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const full = names.filter((name) => name !== path && !name.endsWith(".packing"));
  const current = names.filter((name) => name === path);
  const read = full.filter((name) => !name.endsWith(".gz") || !full.includes(name.slice(0, -".gz".length)));
  return [...read.sort(), ...current];
}

async function readOutput(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  return (bytes !== undefined && path.endsWith(".gz") ? gunzipSync(bytes) : bytes)?.toString();
}
