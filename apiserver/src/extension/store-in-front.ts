import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { StoreUnusableError } from "../errors/errors.js";
import type { ApiServerOptions } from "../server/api-server-options.js";
import { type BackingName, backingNames, backingOf } from "./front-store/backing.js";

/** A name that an object in front may have with a digest behind it, and that a label may have as its value. */
const storeName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The place of a store in the API server in front. */
export interface StorageInFront {
  readonly backend: BackingName;
  /** The namespace of the objects that hold the store. */
  readonly namespace: string;
  /** The name of the store, which is that of the program. */
  readonly name: string;
}

/** The values of `--storage-backend` for stores in front, for messages. */
export const frontBackends = backingNames.join(" or ");

/** Reports whether `--storage-backend` asks for a store in front. */
export function isInFront<T extends { readonly backend: string }>(
  storage: T,
): storage is T & { readonly backend: BackingName } {
  return backingNames.some((name) => name === storage.backend);
}

/** Checks the flags of a store in front, and the name of the program, which its objects have. */
export function checkStoreInFront(
  storage: { readonly backend: string; readonly namespace: string; readonly name: string },
  problems: Problem[],
): void {
  const { backend, namespace, name } = storage;
  if (!isInFront(storage)) {
    if (namespace !== "") {
      problems.push(problemAt("--storage-namespace", `is for --storage-backend=${frontBackends}`));
    }
    return;
  }
  if (namespace === "") {
    problems.push(problemAt("--storage-namespace", `must be specified with --storage-backend=${backend}`));
  }
  if (!storeName.test(name)) {
    const rule = "at most 63 lower-case letters, digits and hyphens, with no hyphen at either end";
    problems.push(problemAt("--storage-backend", `${backend} needs a program whose name is ${rule}, not ${name}`));
  }
}

/** Returns the options of a server whose objects are in front. The code of the store is loaded for such servers alone. */
export function storeInFront(
  front: ClientConfig,
  { backend, namespace, name }: StorageInFront,
): Pick<ApiServerOptions, "store"> {
  return {
    async store({ log }) {
      const { openFrontStore } = await import("./front-store/index.js");
      try {
        const onTrouble = (error: unknown): void => log.storeTrouble(error);
        return await openFrontStore({ front, backing: backend, namespace, name, observer: log, onTrouble });
      } catch (cause) {
        const { kind } = backingOf(backend, name);
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new StoreUnusableError(
          `the store cannot be opened in ${kind}s of the namespace ${namespace}: ${reason}`,
          { cause },
        );
      }
    },
  };
}
