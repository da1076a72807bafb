import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import { freePort } from "../support/free-port.js";
import { until } from "../support/until.js";

const dayMs = 24 * 60 * 60 * 1000;

/** A program of the pair that runs, in a process group of its own, as envtest starts it. */
export interface RunningProgram {
  readonly pid: number;
  output(): string;
  /** The exit code, or the signal that ended the program. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  signal(name: NodeJS.Signals): void;
}

/** An answer of the API server. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The folders, ports and certificates of a pair. */
interface PairPlace {
  readonly binaries: string;
  readonly certDir: string;
  readonly dataDir: string;
  readonly etcdPort: number;
  readonly peerPort: number;
  readonly securePort: number;
  readonly serving: CertificateAndKey;
  readonly admin: CertificateAndKey;
}

/** The folders, certificates and ports that envtest prepares, and the programs that it starts on them. Disposal ends them. */
export class EnvtestPair implements AsyncDisposable {
  readonly place: PairPlace;
  readonly #programs: RunningProgram[] = [];
  readonly #folders: readonly string[];

  static async prepare(binaries: string): Promise<EnvtestPair> {
    const [certDir, dataDir] = await Promise.all([makeFolder(), makeFolder()]);
    const lifetime = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
    const authority = await issueCertificate({ subject: { kind: "authority", commonName: "envtest" }, ...lifetime });
    const issue = (subject: Parameters<typeof issueCertificate>[0]["subject"]) =>
      issueCertificate({ subject, issuer: authority, ...lifetime });
    const [serving, signer, admin] = await Promise.all([
      issue({ kind: "server", commonName: "localhost", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] }),
      issueCertificate({ subject: { kind: "authority", commonName: "sa-signer" }, ...lifetime }),
      issue({ kind: "client", user: "admin", groups: ["system:masters"] }),
    ]);
    const files = {
      "client-cert-auth-ca.crt": authority.certificatePem,
      "apiserver.crt": serving.certificatePem,
      "apiserver.key": serving.keyPem,
      "sa-signer.crt": signer.certificatePem,
      "sa-signer.key": signer.keyPem,
      "client.crt": admin.certificatePem,
    };
    await Promise.all(Object.entries(files).map(([name, pem]) => writeFile(join(certDir, name), pem, { mode: 0o600 })));
    const [etcdPort, peerPort, securePort] = await Promise.all([freePort(), freePort(), freePort()]);
    return new EnvtestPair({ binaries, certDir, dataDir, etcdPort, peerPort, securePort, serving, admin });
  }

  private constructor(place: PairPlace) {
    this.place = place;
    this.#folders = [place.certDir, place.dataDir];
  }

  get etcdUrl(): string {
    return `http://127.0.0.1:${this.place.etcdPort}`;
  }

  /** The arguments of etcd, as envtest writes them. */
  etcdArguments(): string[] {
    const { dataDir, peerPort } = this.place;
    return [
      ...[`--advertise-client-urls=${this.etcdUrl}`, `--data-dir=${dataDir}`, `--listen-client-urls=${this.etcdUrl}`],
      ...[`--listen-peer-urls=http://127.0.0.1:${peerPort}`, "--unsafe-no-fsync=true"],
    ];
  }

  /** The arguments of kube-apiserver, as envtest writes them. */
  apiServerArguments(): string[] {
    const { certDir, securePort } = this.place;
    return [
      ...["--allow-privileged=true", "--authorization-mode=RBAC", "--bind-address=127.0.0.1", `--cert-dir=${certDir}`],
      ...[`--client-ca-file=${certDir}/client-cert-auth-ca.crt`, "--disable-admission-plugins=ServiceAccount"],
      ...[`--etcd-servers=${this.etcdUrl}`, `--secure-port=${securePort}`],
      ...[`--service-account-issuer=https://127.0.0.1:${securePort}/`],
      ...[`--service-account-key-file=${certDir}/sa-signer.crt`],
      ...[`--service-account-signing-key-file=${certDir}/sa-signer.key`, "--service-cluster-ip-range=10.0.0.0/24"],
    ];
  }

  /** Starts a program of the pair. */
  start(name: "etcd" | "kube-apiserver", argv: readonly string[], env: NodeJS.ProcessEnv = {}): RunningProgram {
    const child = spawn(join(this.place.binaries, name), argv, {
      detached: true,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (part: string) => {
        output += part;
      });
    }
    const pid = child.pid ?? 0;
    const program: RunningProgram = {
      pid,
      output: () => output,
      ended: once(child, "exit").then(([code, signal]) => (code as number | null) ?? (signal as NodeJS.Signals)),
      signal: (signal) => void child.kill(signal),
    };
    this.#programs.push(program);
    return program;
  }

  /** Waits as envtest does until etcd is healthy. */
  async etcdIsHealthy(program: RunningProgram): Promise<void> {
    await until(`etcd is healthy, not: ${program.output()}`, async () => {
      const response = await fetch(`${this.etcdUrl}/health`).catch(() => undefined);
      return response?.status === 200;
    });
  }

  /** Waits as envtest does until the API server is healthy, without credentials. */
  async apiServerIsHealthy(program: RunningProgram): Promise<void> {
    await until("the API server is healthy", async () => {
      const ended = await Promise.race([program.ended, undefined]);
      if (ended !== undefined) {
        throw new Error(`kube-apiserver has ended with ${ended}: ${program.output()}`);
      }
      return (await this.get("/healthz", "anonymous").catch(() => undefined))?.status === 200;
    });
  }

  /** Starts both programs as envtest does. */
  async startBoth(env: NodeJS.ProcessEnv = {}): Promise<{ etcd: RunningProgram; apiServer: RunningProgram }> {
    const etcd = this.start("etcd", this.etcdArguments(), env);
    await this.etcdIsHealthy(etcd);
    const apiServer = this.start("kube-apiserver", this.apiServerArguments(), env);
    await this.apiServerIsHealthy(apiServer);
    return { etcd, apiServer };
  }

  /** Sends a request as the administrator, or without credentials. */
  get(path: string, as: "admin" | "anonymous" = "admin"): Promise<Answer> {
    return this.send("GET", path, undefined, as);
  }

  async send(method: string, path: string, body?: object, as: "admin" | "anonymous" = "admin"): Promise<Answer> {
    const { securePort, serving, admin } = this.place;
    const asked = request({
      ...{ host: "127.0.0.1", port: securePort, path, method, agent: false },
      // The certificate that lies there before the start is the one that is served.
      ...(as === "admin" ? { ca: serving.certificatePem, cert: admin.certificatePem, key: admin.keyPem } : {}),
      rejectUnauthorized: false,
      headers: { "content-type": "application/json" },
    });
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(asked, "response");
    return { status: response.statusCode, body: await text(response) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const program of this.#programs) {
      program.signal("SIGKILL");
    }
    await Promise.all(this.#programs.map(({ ended }) => ended));
    await Promise.all(this.#folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "k8s_test_framework_"));
}
