import { readFile } from "node:fs/promises";
import { writeFileAtomic } from "@gatehouse/component-base";
import { isInUse, listenOnce } from "./free-port.js";
import { type PartId, partIds } from "./parts/part-id.js";

/** The ports on 127.0.0.1 of the processes of a stack that nobody chooses one for. */
export interface Ports {
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

  async function claim(id: PartId): Promise<number> {
    const remembered = ports.get(id);
    if (remembered !== undefined) {
      try {
        return await listenOnce(remembered);
      } catch (error) {
        if (!isInUse(error)) {
          throw error;
        }
      }
    }
    const port = await listenOnce(0);
    if ([...ports].some(([other, taken]) => other !== id && taken === port)) {
      return claim(id); // another process of the stack has had it, and will want it
    }
    ports.set(id, port);
    if (remembered !== undefined) {
      tell(`Port ${remembered} of the ${id} process is in use by another program; from now on it is ${port}.`);
    }
    return port;
  }

  return {
    claim,
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
