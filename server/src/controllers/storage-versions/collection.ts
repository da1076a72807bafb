import { type Controller, type ControllerOptions, ignoreNotFound, reconcile } from "@gatehouse/apiserver/client";
import { type JsonArray, type JsonObject, listAt, objectAt, ownObject, textAt } from "@gatehouse/envelopes/json";
import { setCommonEncoding } from "../../storage-versions/common-encoding.js";
import { storageVersions } from "../core-resources.js";
import { isIdentityLease } from "../identity-leases.js";
import { leaseNamespace, leases } from "../leadership/leases.js";

/** The options of the controller that collects storage versions. */
export interface StorageVersionCollectionOptions extends ControllerOptions {
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Removes what servers have said in StorageVersions when their identity leases are gone, and StorageVersions in which no
 * server says anything any more.
 */
export function storageVersionCollection({ now, ...options }: StorageVersionCollectionOptions): Controller {
  const { client } = options;
  const cachedLease = (id: string): JsonObject | undefined => client.cached(leases, leaseNamespace, id)?.object();
  const hasStranger = (object: JsonObject): boolean =>
    serversOf(object).some((server) => !isIdentityLease(cachedLease(textAt(server, "apiServerID"))));
  const work = async (key: string): Promise<undefined> => {
    const [what, name] = parseKey(key);
    if (what === "storageversion") {
      await keepServersWithLease(name);
      return undefined;
    }
    if ((await client.get(leases, leaseNamespace, name)) !== undefined) {
      // Its server has come back.
      return undefined;
    }
    for (const { name: storageVersion, entry } of await client.list(storageVersions, "")) {
      if (serversOf(entry.object()).some((server) => textAt(server, "apiServerID") === name)) {
        await keepServers(storageVersion, (id) => id !== name);
      }
    }
    return undefined;
  };
  const keepServersWithLease = async (name: string): Promise<void> => {
    const object = await client.get(storageVersions, "", name);
    const alive = new Set<string>();
    for (const server of serversOf(object ?? {})) {
      const id = textAt(server, "apiServerID");
      if (isIdentityLease(await client.get(leases, leaseNamespace, id))) {
        alive.add(id);
      }
    }
    const asked = new Set(serversOf(object ?? {}).map((server) => textAt(server, "apiServerID")));
    // Who has registered since is not asked about.
    await keepServers(name, (id) => alive.has(id) || !asked.has(id));
  };
  const keepServers = async (name: string, isKept: (id: string) => boolean): Promise<void> => {
    let emptied: JsonObject | undefined;
    const target = { namespace: "", name, subresource: "status" };
    await client
      .update(storageVersions, target, (object) => {
        const servers = serversOf(object);
        const kept = servers.filter((server) => isKept(textAt(server, "apiServerID")));
        emptied = kept.length === 0 && servers.length > 0 ? object : undefined;
        if (kept.length === servers.length || emptied !== undefined) {
          return undefined;
        }
        ownObject(object, "status")["storageVersions"] = kept;
        setCommonEncoding(object, now());
        return object;
      })
      .catch(ignoreNotFound);
    if (emptied !== undefined) {
      const { uid, resourceVersion } = objectAt(emptied, "metadata");
      const preconditions = { uid: String(uid), resourceVersion: String(resourceVersion) };
      await client.delete(storageVersions, "", name, { preconditions });
    }
  };
  return {
    name: "storageversion-garbage-collector-controller",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: 1,
        // Without leases nobody can be told from servers that are gone.
        sources:
          client.find(leases) === undefined
            ? []
            : [
                {
                  resource: leases,
                  keyOf: ({ namespace, name, entry }, event) =>
                    event === "DELETED" && namespace === leaseNamespace && isIdentityLease(entry.object())
                      ? `lease/${name}`
                      : undefined,
                },
                {
                  resource: storageVersions,
                  keyOf: ({ name, entry }, event) =>
                    event !== "DELETED" && hasStranger(entry.object()) ? `storageversion/${name}` : undefined,
                },
              ],
        work,
      }),
  };
}

function parseKey(key: string): readonly [what: string, name: string] {
  const slash = key.indexOf("/");
  return [key.slice(0, slash), key.slice(slash + 1)];
}

function serversOf(storageVersion: JsonObject): JsonArray {
  return listAt(storageVersion, "status", "storageVersions");
}
