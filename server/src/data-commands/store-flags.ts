import { etcdFlags } from "@gatehouse/apiserver/options";
import type { FlagTable } from "@gatehouse/component-base/flags";

const group = "Store";

/** The place of the embedded store. */
export const dataDirectoryFlag = {
  type: "path",
  default: ".gatehouse/data",
  group,
  help: "The data `directory` of the API server: its --data-dir. A stack of `gatehouse up --data-dir DIR` has it in DIR/data.",
} as const;

/** The flags that name an etcd, as API servers have them. */
export const etcdStoreFlags = {
  "etcd-servers": {
    ...etcdFlags["etcd-servers"],
    group,
    help: "`URLs` of etcd servers (scheme://ip:port), in the place of --data-dir.",
  },
  "etcd-prefix": {
    type: "string",
    default: "/registry",
    group,
    help: "The `prefix` of all keys of the API server in etcd.",
  },
  "etcd-cafile": { ...etcdFlags["etcd-cafile"], group },
  "etcd-certfile": { ...etcdFlags["etcd-certfile"], group },
  "etcd-keyfile": { ...etcdFlags["etcd-keyfile"], group },
} as const satisfies FlagTable;

/** The flags that name the store of a command. */
export const storeFlags = { "data-dir": dataDirectoryFlag, ...etcdStoreFlags } as const satisfies FlagTable;
