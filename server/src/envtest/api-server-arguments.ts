import { parseFeatureGates } from "@gatehouse/apiserver/options";
import { serverFlags } from "../flags.js";
import type { EtcdData } from "./etcd-data.js";
import { type GivenFlag, readArguments } from "./read-arguments.js";

/** A command line of kube-apiserver as this server takes it. */
export interface ApiServerArguments {
  readonly argv: readonly string[];
  /** Sentences for the log on what has been left out. */
  readonly notes: readonly string[];
}

/** The surroundings of a drop-in kube-apiserver. */
export interface DropIn {
  /** The data of the etcd of the pair; undefined when the server talks to another etcd. */
  readonly data: EtcdData | undefined;
  /** True to run the controllers of kube-controller-manager, which envtest lacks. */
  readonly controllers: boolean;
}

const table: Readonly<Record<string, { readonly type: string } | undefined>> = serverFlags;

/** Flags that say how etcd is reached, which an API server on the data of its etcd does without. */
const etcdFlags = new Set(["etcd-servers", "storage-backend"]);

/** Splits a command line of kube-apiserver. */
export function readApiServerArguments(argv: readonly string[]): GivenFlag[] {
  return readArguments(argv, (name) => table[name]?.type === "bool");
}

/** Returns the first etcd server of a command line. */
export function etcdServerOf(flags: readonly GivenFlag[]): string | undefined {
  return flags.findLast(({ name }) => name === "etcd-servers")?.value?.split(",")[0];
}

/**
 * Turns a command line of kube-apiserver into one of this server. Flags and gates of earlier and later releases, which
 * public test suites pass, are left out with a note.
 */
export function adaptArguments(flags: readonly GivenFlag[], { data, controllers }: DropIn): ApiServerArguments {
  const notes: string[] = [];
  const argv = flags.flatMap((flag) => {
    if (flag.spelling.length === 1 && !flag.spelling[0]?.startsWith("--")) {
      return flag.spelling; // a shorthand such as -v=2, or an argument that the server refuses
    }
    if (data !== undefined && etcdFlags.has(flag.name)) {
      return [];
    }
    if (flag.name === "feature-gates") {
      return knownGates(flag.value ?? "", notes);
    }
    if (table[flag.name] === undefined) {
      notes.push(`--${flag.name} is not a flag of kube-apiserver v1.29; it has no effect`);
      return [];
    }
    return flag.spelling;
  });
  if (data !== undefined) {
    argv.push(`--data-dir=${data.directory}`, `--unsafe-no-fsync=${data.unsafeNoFsync}`);
  }
  if (!controllers && !flags.some(({ name }) => name === "controllers")) {
    argv.push("--controllers=kube-apiserver");
  }
  return { argv, notes };
}

function knownGates(text: string, notes: string[]): string[] {
  const known = text.split(",").filter((setting) => {
    const { problems } = parseFeatureGates(setting);
    notes.push(...problems.map((problem) => `--feature-gates: ${problem}; it has no effect`));
    return problems.length === 0;
  });
  return known.length === 0 ? [] : [`--feature-gates=${known.join(",")}`];
}
