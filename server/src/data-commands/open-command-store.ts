import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "@gatehouse/apiserver/storage";
import { dataFileName, openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { CommandError } from "@gatehouse/component-base/errors";
import type { FlagValues } from "@gatehouse/component-base/flags";
import type { storeFlags } from "./store-flags.js";

/** A store that a command reads. */
export interface CommandStore {
  readonly store: Store;
  /** All keys that belong to the API server start with it. */
  readonly prefix: string;
  /** The place of the store, for messages. */
  readonly name: string;
}

/** Opens the store that flags name, to be read only. Throws CommandError, or the store's own error. */
export async function openCommandStore(values: FlagValues<typeof storeFlags>): Promise<CommandStore> {
  const directory = values["data-dir"];
  if (!existsSync(join(directory, dataFileName))) {
    throw new CommandError(
      `${directory} holds no ${dataFileName}: no API server has stored anything there${stackHint(directory)}`,
    );
  }
  return { store: await openLmdbStore({ directory, readOnly: true }), prefix: "", name: directory };
}

/** Returns a hint when a directory is that of a whole stack, which has the API server's data below it. */
export function stackHint(directory: string): string {
  const below = join(directory, "data");
  return existsSync(join(below, dataFileName)) ? `; did you mean --data-dir=${below}?` : "";
}
