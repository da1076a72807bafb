import { readFile } from "node:fs/promises";
import { writeFileAtomic } from "@gatehouse/component-base/files";
import { claimPort, isInUse, listenOnce } from "./free-port.js";
import { type PartId, partIds } from "./parts/part-id.js";

/** The ports on 127.0.0.1 of the processes of a stack: the API server's, and those that nobody chooses. */
export interface Ports {
  /** Takes the port that the command line names for the API server; a free one for 0. Throws StartError. */
  reserve(port: number): Promise<number>;
  /** Returns the port that the process had at the last start, or a free one when it had none or it is in use. */
  claim(id: PartId): Promise<number>;
  /** Stores what has been claimed, for the next start. */
  save(): Promise<void>;
}

/**
 * Reads the ports of the last start: addresses that people have opened in a browser, or written into a kubeconfig, stay
 * true. A file that is missing or cannot be understood holds none. `tell` gets one sentence for each port that changes.
 */
export async function openPorts(path: string, tell: (sentence: string) => void): Promise<Ports> {
  const text = await readFile(path, "utf8").catch(() => "");
  const ports = parsePorts(text);
  /** Ports of the last start, too: their processes will want them again. */
  const taken = new Set(ports.values());
  let reserved: number | undefined;

  async function findFree(): Promise<number> {
    const port = await listenOnce(0);
    if (taken.has(port)) {
      return await findFree();
    }
    taken.add(port);
    return port;
  }

  async function isFree(port: number): Promise<boolean> {
    try {
      await listenOnce(port);
      return port !== reserved;
    } catch (error) {
      if (isInUse(error)) {
        return false;
      }
      throw error;
    }
  }

  return {
    async reserve(port) {
      reserved = port === 0 ? await findFree() : await claimPort(port);
      taken.add(reserved);
      return reserved;
    },
    async claim(id) {
      const remembered = ports.get(id);
      if (remembered !== undefined && (await isFree(remembered))) {
        return remembered;
      }
      const port = await findFree();
      ports.set(id, port);
      if (remembered !== undefined) {
        tell(`Port ${remembered} of the ${id} process is in use; from now on it is ${port}.`);
      }
      return port;
    },
    async save() {
      const changed = formatPorts(ports);
      if (changed !== text) {
        await writeFileAtomic(path, changed, { mode: 0o600 });
      }
    },
  };
}

function parsePorts(text: string): Map<PartId, number> {
  try {
    const stored: unknown = JSON.parse(text);
    const ports = new Map<string, unknown>(Object.entries(Object(stored)));
    return new Map(
      partIds.flatMap((id) => {
        const port = ports.get(id);
        return isPort(port) ? [[id, port] as const] : [];
      }),
    );
  } catch {
    return new Map();
  }
}

function isPort(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 65_535;
}

function formatPorts(ports: ReadonlyMap<string, number>): string {
  const sorted = [...ports].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`;
}
