import { readdir, readFile, readlink } from "node:fs/promises";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { until } from "../support/until.js";

/** Returns the process IDs of the workers that serve now or did last, by their numbers, as the log tells them. */
export function workerPids(server: ControlPlane): ReadonlyMap<number, number> {
  const pids = new Map<number, number>();
  for (const [, number, pid] of server.logs.text().matchAll(/a worker serves worker=(\d+) pid=(\d+)/g)) {
    pids.set(Number(number), Number(pid));
  }
  return pids;
}

/** Returns the number of the worker that runs the controllers. */
export function leaderOf(server: ControlPlane): number {
  const chosen = [...server.logs.text().matchAll(/a worker runs the controllers worker=(\d+)/g)];
  return Number(chosen.at(-1)?.[1]);
}

/** Resolves when so many workers serve. `ended` are process IDs of workers that must have been replaced. */
export async function untilServing(
  server: ControlPlane,
  count: number,
  ended: readonly number[] = [],
): Promise<ReadonlyMap<number, number>> {
  return until(`${count} workers serve`, () => {
    const pids = workerPids(server);
    return pids.size === count && ![...pids.values()].some((pid) => ended.includes(pid)) ? pids : undefined;
  });
}

/** Reports whether a process is there. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Returns the ports at the other ends of the TCP connections that a process of Linux holds. */
export async function remotePortsOf(pid: number): Promise<ReadonlySet<number>> {
  const files = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => "")));
  const inodes = new Set(targets.map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1]));
  const tables = await Promise.all(["tcp", "tcp6"].map((table) => readFile(`/proc/${pid}/net/${table}`, "utf8")));
  const rows = tables.flatMap((table) => table.split("\n").map((line) => line.trim().split(/\s+/)));
  // sl local_address rem_address st queues timer retransmits uid timeout inode
  const ports = rows
    .filter((row) => inodes.has(row[9]))
    .map(([, , remote = ""]) => Number.parseInt(remote.split(":")[1] ?? "", 16));
  return new Set(ports);
}

/** Clients with one open connection each, so many for every worker: connections go to the worker that has the fewest. */
export interface SpreadClients extends Disposable {
  readonly clients: readonly ApiClient[];
}

/** Opens the clients one after the other. */
export async function spreadClients(server: ControlPlane, count: number): Promise<SpreadClients> {
  const clients: ApiClient[] = [];
  for (let opened = 0; opened < count; opened++) {
    const client = createApiClient(server.clientConfig);
    clients.push(client);
    await client.get("/livez");
  }
  return {
    clients,
    [Symbol.dispose]() {
      for (const client of clients) {
        client[Symbol.dispose]();
      }
    },
  };
}
