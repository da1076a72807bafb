/** The usage of a node or a container. */
export interface Usage {
  readonly cores: number;
  readonly bytes: number;
}

/** The usage of everything at one time. */
export interface Snapshot {
  readonly time: Date;
  /** Usage by the name of the node. */
  readonly nodes: ReadonlyMap<string, Usage>;
  /** Usage by namespace, pod and container. */
  readonly pods: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, Usage>>>;
}

const line = /^(?<metric>[a-z_:]+)\{(?<labels>[^}]*)\}\s+(?<value>\S+)/;
const label = /(?<name>\w+)="(?<value>(?:[^"\\]|\\.)*)"/g;

/** The part of a usage that a metric tells. */
const partOf: Readonly<Record<string, keyof Usage>> = {
  node_cpu_usage_cores: "cores",
  node_memory_working_set_bytes: "bytes",
  container_cpu_usage_cores: "cores",
  container_memory_working_set_bytes: "bytes",
};

/** Reads a text in the format of Prometheus. Lines of other metrics are left out. */
export function parseUsage(text: string, time: Date): Snapshot {
  const nodes = new Map<string, Usage>();
  const pods = new Map<string, Map<string, Map<string, Usage>>>();
  for (const one of text.split("\n")) {
    const groups = line.exec(one)?.groups;
    const part = partOf[groups?.["metric"] ?? ""];
    const value = Number(groups?.["value"]);
    if (part === undefined || !Number.isFinite(value)) {
      continue;
    }
    const labels = labelsOf(groups?.["labels"] ?? "");
    const { node, namespace, pod, container } = labels;
    if (node !== undefined) {
      add(nodes, node, part, value);
    } else if (namespace !== undefined && pod !== undefined && container !== undefined) {
      add(inside(inside(pods, namespace), pod), container, part, value);
    }
  }
  return { time, nodes, pods };
}

interface Labels {
  readonly node?: string;
  readonly namespace?: string;
  readonly pod?: string;
  readonly container?: string;
}

function labelsOf(text: string): Labels {
  return Object.fromEntries([...text.matchAll(label)].map(({ groups }) => [groups?.["name"], groups?.["value"]]));
}

function inside<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const found = map.get(key) ?? new Map<string, V>();
  map.set(key, found);
  return found;
}

function add(map: Map<string, Usage>, name: string, part: keyof Usage, value: number): void {
  map.set(name, { cores: 0, bytes: 0, ...map.get(name), [part]: value });
}
