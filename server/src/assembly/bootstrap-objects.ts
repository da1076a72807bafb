import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Store } from "@gatehouse/apiserver/storage";
import type { ControllerName } from "../options/controller-names.js";
import { selectControllers } from "../options/controller-selection.js";
import type { ServerConfig } from "../options/server-config.js";

/** The parts of the configuration on which the objects of every cluster depend. */
export type BootstrapSettings = Pick<
  ServerConfig,
  | "audit"
  | "authorization"
  | "controllers"
  | "encryption"
  | "hasDefaultApi"
  | "keyPrefix"
  | "requestLimits"
  | "storageMediaType"
>;

/** The stored objects of a new cluster. Times and uids are marks, which are replaced by those of the cluster. */
export interface BootstrapObjects {
  /** Stands for the time at which the objects are made. */
  readonly timeMark: string;
  /** Stands for the uid of an object. */
  readonly uidMark: string;
  /** The objects as JSON, by their keys without the prefix. */
  readonly objects: Readonly<Record<string, string>>;
}

/** The controllers that make these objects one by one where they are missing. */
const makers: readonly ControllerName[] = [
  ...(["bootstrap-roles", "bootstrap-system-priority-classes", "system-namespaces-controller"] as const),
  ...(["kube-apiserver-autoregistration", "priority-and-fairness-config-producer"] as const),
];

/** The revision of a store to which nothing has been written. */
const firstRevision = 1;

/**
 * Writes the roles, flow schemas and other objects of every cluster to a store to which nothing has been written, in one
 * commit: their controllers, which find them then, would take most of the time of a first start. Does nothing for a
 * configuration whose objects are others, or must be written by requests. Reports whether the objects are written.
 */
export async function writeBootstrapObjects(
  store: Store,
  { settings, now }: { readonly settings: BootstrapSettings; readonly now: () => number },
): Promise<boolean> {
  if (!isAsBuilt(settings) || (await store.currentRevision()) !== firstRevision) {
    return false;
  }
  const built = await readBuilt();
  if (built === undefined) {
    return false;
  }
  const hasRoles = hasRbac(settings.authorization);
  const objects = Object.entries(built.objects).filter(([key]) => hasRoles || !isOfRbac(key));
  const time = `${new Date(now()).toISOString().slice(0, -".000Z".length)}Z`;
  await Promise.all(
    objects.map(([key, json]) => {
      const text = json.replaceAll(built.timeMark, time).replace(built.uidMark, randomUUID());
      // Somebody else who starts at the same time writes the same.
      return store.put(settings.keyPrefix + key, Buffer.from(text), { expectedRevision: 0 });
    }),
  );
  return true;
}

function isAsBuilt(settings: BootstrapSettings): boolean {
  const selected = new Set(selectControllers(settings.controllers));
  return (
    settings.hasDefaultApi &&
    // Those of a file are read when the store is open.
    "authorizers" in settings.authorization &&
    makers.every((name) => selected.has(name)) &&
    // Flow schemas have conditions then.
    settings.requestLimits.fairness &&
    settings.encryption === undefined &&
    settings.storageMediaType === undefined &&
    settings.audit === undefined
  );
}

function hasRbac(authorization: BootstrapSettings["authorization"]): boolean {
  return "authorizers" in authorization && authorization.authorizers.some(({ type }) => type === "RBAC");
}

/** Reports whether a key is that of a role or a binding, which servers without RBAC do not make. */
function isOfRbac(key: string): boolean {
  return /^(?:cluster)?role(?:binding)?s\//.test(key);
}

/** The file that the build makes (scripts/write-bootstrap-objects.mjs), from this module in dist/assembly and bundled. */
const places = ["../bundle/bootstrap-objects.json", "../../bundle/bootstrap-objects.json"];

/** Reads what the build has made; undefined when it has not. */
async function readBuilt(): Promise<BootstrapObjects | undefined> {
  for (const place of places) {
    try {
      return JSON.parse(await readFile(fileURLToPath(new URL(place, import.meta.url)), "utf8"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
        throw error;
      }
    }
  }
  return undefined;
}
