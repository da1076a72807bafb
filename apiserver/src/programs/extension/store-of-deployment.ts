import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { validateDns1123Label } from "@gatehouse/envelopes/validation";
import { extensionFlags } from "../../extension/extension-flags.js";
import { backingNames } from "../../extension/front-store/backing.js";
import type { ExtensionProgram } from "../../extension/resolve-extension.js";
import { checkStoreInFront, isInFront, type StorageInFront } from "../../extension/store-in-front.js";
import type { ExtensionBaseOptions } from "./extension-base.js";

const group = "Store";

/** The flags of `build` that say where the server of the base keeps its objects. */
export const deploymentStoreFlags = defineFlags({
  "storage-backend": {
    type: "string",
    default: "",
    choices: extensionFlags["storage-backend"].choices,
    group,
    help: "The `store` of objects: lmdb, embedded, in a volume; etcd3, at --etcd-servers; configmaps or customresources, in ConfigMaps or Records of --storage-namespace in the API server in front. etcd3 when --etcd-servers is given, else that of the program, else lmdb.",
  },
  "etcd-servers": {
    type: "stringList",
    group,
    help: "`URLs` of the etcd cluster that holds the objects.",
  },
  storage: { type: "string", group, help: "`Size` of the volume of the embedded store. Default: 1Gi." },
  "storage-namespace": {
    type: "string",
    group,
    help: "The `namespace` of the ConfigMaps or Records that hold the objects, of --storage-backend=configmaps or customresources. Default: that of the server.",
  },
});

type StoreFlagValues = FlagValues<typeof deploymentStoreFlags>;

/** The store of a deployed server, and how many servers may share it. */
export interface DeploymentStore extends Pick<ExtensionBaseOptions, "storeArguments" | "volume" | "inFront"> {
  readonly isShared: boolean;
}

/**
 * Returns the store that flags ask for. `name` and `namespace` are those of the deployment. What does not fit together is
 * added to `problems`.
 */
export function storeOfDeployment(
  values: StoreFlagValues,
  program: ExtensionProgram,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  problems: Problem[],
): DeploymentStore {
  const etcd = values["etcd-servers"];
  const backend = values["storage-backend"] || (etcd.length > 0 ? "etcd3" : program.store ? "" : "lmdb");
  const inFront = { backend, namespace: values["storage-namespace"] ?? namespace, name: program.name };
  refuseFlagsOfOthers(values, backend, problems);
  if (isInFront(inFront)) {
    return storeInFront(inFront, problems);
  }
  switch (backend) {
    case "etcd3":
      if (etcd.length === 0) {
        problems.push(problemAt("--etcd-servers", "must be specified with --storage-backend=etcd3"));
      }
      return { storeArguments: [`--etcd-servers=${etcd.join(",")}`], isShared: true };
    case "lmdb":
      if (program.store !== undefined) {
        problems.push(
          problemAt("--storage-backend", "the program has a store of its own, which lmdb does not replace"),
        );
      }
      return volume(`/var/lib/${name}`, program, values.storage);
    default:
      // A store of the program's own needs no folder.
      return { storeArguments: [], isShared: true };
  }
}

const backendsOfFlags = { "etcd-servers": ["etcd3"], "storage-namespace": backingNames, storage: ["lmdb"] } as const;

function refuseFlagsOfOthers(values: StoreFlagValues, backend: string, problems: Problem[]): void {
  for (const [flag, needed] of Object.entries(backendsOfFlags)) {
    const value = values[flag as keyof typeof backendsOfFlags];
    if (!needed.some((name) => name === backend) && value !== undefined && value.length > 0) {
      problems.push(problemAt(`--${flag}`, `is for --storage-backend=${needed.join(" or ")}`));
    }
  }
}

function storeInFront(inFront: StorageInFront, problems: Problem[]): DeploymentStore {
  const { backend, namespace } = inFront;
  checkStoreInFront(inFront, problems);
  problems.push(...validateDns1123Label(namespace).map((text) => problemAt("--storage-namespace", text)));
  return {
    storeArguments: [`--storage-backend=${backend}`, `--storage-namespace=${namespace}`],
    inFront,
    isShared: true,
  };
}

function volume(folder: string, { groups }: ExtensionProgram, size = "1Gi"): DeploymentStore {
  const isStored = groups.some(({ resources }) => resources.some(({ storage }) => storage !== undefined));
  return {
    storeArguments: [`--data-dir=${folder}`],
    volume: { folder, size: isStored ? size : undefined },
    isShared: !isStored,
  };
}
