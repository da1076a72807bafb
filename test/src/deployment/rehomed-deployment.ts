import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../support/free-port.js";
import { gatehouseScript } from "../support/programs.js";
import { showLogOnFailure } from "../support/show-log-on-failure.js";
import { until } from "../support/until.js";
import {
  deployFolder,
  execStartOf,
  readImages,
  readUnit,
  type ServiceName,
  serviceNames,
  servicePorts,
} from "./deployment-files.js";

const run = promisify(execFile);

/** A deployment by the units, below a temporary folder in place of the root, on free ports in place of its own. */
export interface RehomedDeployment extends AsyncDisposable {
  readonly root: string;
  readonly ports: Readonly<Record<ServiceName, number>>;
  /** A path or text that is meant for the real root, with the paths and ports of this one. */
  rehome(text: string): string;
  /** A file that is meant for the real root. */
  write(path: string, content: string): Promise<void>;
  /** Runs the command of a unit, after giving it its credentials. Resolves when the health check of its image is content. */
  start(name: ServiceName): Promise<void>;
  /** Sends a signal, and resolves to how the process ended. */
  stop(name: ServiceName, signal: NodeJS.Signals): Promise<ProcessEnd>;
  /** Makes the certificates of all processes and callers anew, by the authorities that there are. */
  renewCertificates(): Promise<void>;
  /** Does what reloading a unit does. */
  reload(name: ServiceName): Promise<void>;
  /** Returns the log of a process. */
  logOf(name: ServiceName): string;
  /** Every file there is below the root. */
  files(): Promise<readonly string[]>;
}

/** One of the two is null. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface RunningProcess {
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<ProcessEnd>;
  readonly isAlive: () => boolean;
}

/** Does what the guide says before units are started: certificates, configuration. */
export async function prepareDeployment(): Promise<RehomedDeployment> {
  const root = await mkdtemp(join(tmpdir(), "gatehouse-deployment-"));
  const ports = Object.fromEntries(
    await Promise.all(serviceNames.map(async (name) => [name, await freePort()] as const)),
  ) as Record<ServiceName, number>;
  const running = new Map<ServiceName, RunningProcess>();
  const logs = new Map<ServiceName, string>();
  const images = readImages();
  const checkout = dirname(deployFolder);
  showLogOnFailure(() => serviceNames.map((name) => `--- ${name}\n${logs.get(name)?.slice(-3000)}`).join("\n"));

  const rehome = (text: string): string => {
    const paths = text
      .replaceAll(/\/(?=run\/gatehouse-|etc\/gatehouse\/|var\/lib\/gatehouse-)/g, `${root}/`)
      .replaceAll("/usr/lib/gatehouse/ask-health.mjs", join(deployFolder, "containers", "ask-health.mjs"))
      .replaceAll("/usr/lib/gatehouse/", `${checkout}/`);
    return serviceNames.reduce(
      (rehomed, name) =>
        rehomed.replaceAll(new RegExp(`(?<=[:= ]|^)${servicePorts[name]}\\b`, "gm"), String(ports[name])),
      paths,
    );
  };

  async function rehomeFiles(folder: string): Promise<void> {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) {
        const path = join(entry.parentPath, entry.name);
        await writeFile(path, rehome(await readFile(path, "utf8")));
      }
    }
  }

  const etc = join(root, "etc", "gatehouse");
  const pki = join(etc, "pki");
  const makeCertificates = () =>
    run(process.execPath, [gatehouseScript, "pki", `--directory=${pki}`, "--host=127.0.0.1"]);
  await cp(join(deployFolder, "config"), etc, { recursive: true });
  await makeCertificates();
  await rehomeFiles(etc);

  /** Runs the commands of a unit that systemd runs as root before a process starts, and on reload. */
  async function giveCredentials(name: ServiceName, setting: "ExecStartPre" | "ExecReload"): Promise<void> {
    await mkdir(join(root, "run", `gatehouse-${name}`), { recursive: true, mode: 0o755 });
    const [script = "", ...words] = rehome(readUnit(name).value("Service", setting)?.replace(/^\+/, "") ?? "").split(
      " ",
    );
    await run(script, words);
  }

  function launch(name: ServiceName): RunningProcess {
    const [, ...words] = execStartOf(readUnit(name)).map(rehome);
    // As a unit has it: nothing of this process's environment but where programs are.
    const child = spawn(process.execPath, words, {
      cwd: "/",
      env: { PATH: process.env["PATH"] },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => logs.set(name, (logs.get(name) ?? "") + text));
    }
    const ended = once(child, "close").then(([code, signal]) => ({ code, signal }) as ProcessEnd);
    return {
      kill: (signal) => child.kill(signal),
      ended,
      isAlive: () => child.exitCode === null && child.signalCode === null,
    };
  }

  async function isHealthy(name: ServiceName): Promise<boolean> {
    const [, ...words] = (images.get(`gatehouse-${name}`)?.healthCheck ?? []).map(rehome);
    return await run(process.execPath, words).then(
      () => true,
      // Each question is a process of its own: a few a second will do.
      () => sleep(200, false),
    );
  }

  const stateFolder = (name: ServiceName): string => join(root, "var", "lib", `gatehouse-${name}`);

  return {
    root,
    ports,
    rehome,
    async write(path, content) {
      await writeFile(join(root, path), content);
    },
    async start(name) {
      await rm(join(root, "run", `gatehouse-${name}`), { recursive: true, force: true });
      await giveCredentials(name, "ExecStartPre");
      if (readUnit(name).value("Service", "StateDirectory") !== undefined) {
        await mkdir(stateFolder(name), { recursive: true, mode: 0o700 });
      }
      const process = launch(name);
      running.set(name, process);
      await until(`gatehouse-${name} is healthy: ${logs.get(name)}`, async () => {
        if (!process.isAlive()) {
          throw new Error(`gatehouse-${name} has ended: ${logs.get(name)}`);
        }
        return await isHealthy(name);
      });
    },
    async stop(name, signal) {
      const process = running.get(name);
      if (process === undefined) {
        throw new Error(`gatehouse-${name} was never started`);
      }
      process.kill(signal);
      return await process.ended;
    },
    async renewCertificates() {
      for (const file of await readdir(pki, { recursive: true })) {
        // Those of processes and callers; the authorities stay.
        if (/(tls|webhook-caller|audit-sender)\.(crt|key)$/.test(file)) {
          await rm(join(pki, file));
        }
      }
      await makeCertificates();
      await rehomeFiles(pki);
    },
    reload: (name) => giveCredentials(name, "ExecReload"),
    logOf: (name) => logs.get(name) ?? "",
    async files() {
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
    },
    async [Symbol.asyncDispose]() {
      for (const process of running.values()) {
        process.kill("SIGKILL");
        await process.ended;
      }
      await rm(root, { recursive: true, force: true });
    },
  };
}
