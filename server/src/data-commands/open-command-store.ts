import { existsSync } from "node:fs";
import { join } from "node:path";
import { etcdKeyPrefix } from "@gatehouse/apiserver/options";
import type { Store } from "@gatehouse/apiserver/storage";
import { dataFileName, openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { CommandError } from "@gatehouse/component-base/errors";
import type { FlagValues } from "@gatehouse/component-base/flags";
import type { etcdStoreFlags, storeFlags } from "./store-flags.js";

/** A store that a command uses. */
export interface CommandStore {
  readonly store: Store;
  /** All keys that belong to the API server start with it. */
  readonly prefix: string;
  /** The place of the store, for messages. */
  readonly name: string;
}

/** The flags of a command that name its store, and those that were given. */
export interface StoreFlagLine {
  readonly values: FlagValues<typeof storeFlags>;
  readonly given: ReadonlySet<string>;
}

/** Opens the store that flags name, to be read only. Throws CommandError, or the store's own error. */
export async function openCommandStore({ values, given }: StoreFlagLine): Promise<CommandStore> {
  if (values["etcd-servers"].length > 0) {
    if (given.has("data-dir")) {
      throw new CommandError("--data-dir and --etcd-servers name two stores; give one of them");
    }
    return await openCommandEtcd(values);
  }
  return await openDataDirectory(values["data-dir"]);
}

/** Opens the embedded store in a directory, to be read only. Throws CommandError, or the store's own error. */
export async function openDataDirectory(directory: string): Promise<CommandStore> {
  if (!existsSync(join(directory, dataFileName))) {
    throw new CommandError(
      `${directory} holds no ${dataFileName}: no API server has stored anything there${stackHint(directory)}`,
    );
  }
  return { store: await openLmdbStore({ directory, readOnly: true }), prefix: "", name: directory };
}

/** Opens the etcd that flags name, and waits until it answers. Throws CommandError, or the store's own error. */
export async function openCommandEtcd(values: FlagValues<typeof etcdStoreFlags>): Promise<CommandStore> {
  const { openEtcdStore } = await import("@gatehouse/apiserver/storage/etcd");
  const { "etcd-servers": servers, "etcd-cafile": caFile, "etcd-certfile": certFile, "etcd-keyfile": keyFile } = values;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new CommandError("--etcd-certfile and --etcd-keyfile belong together; one of them is missing");
  }
  const store = await openEtcdStore({
    transport: {
      servers,
      ...(caFile === undefined ? {} : { caFile }),
      ...(certFile === undefined || keyFile === undefined ? {} : { certFile, keyFile }),
    },
    leaseReuseSeconds: 0,
  });
  const name = `etcd at ${servers.join(",")}`;
  try {
    await store.currentRevision();
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw new CommandError(`${name} does not answer: ${(error as Error).message}`, { cause: error });
  }
  return { store, prefix: etcdKeyPrefix(values["etcd-prefix"]), name };
}

function stackHint(directory: string): string {
  const below = join(directory, "data");
  return existsSync(join(below, dataFileName)) ? `; did you mean --data-dir=${below}?` : "";
}
