import {
  type Controller,
  type ControllerOptions,
  forEachLimited,
  isLostRace,
  isNotFound,
  type ObjectClient,
  reconcile,
} from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";
import { namespaces } from "../core-resources.js";
import { bootstrapPolicy } from "./bootstrap-policy.js";
import { rbacGroup } from "./policy-notation.js";
import { isAsExpected, reconciledBinding, reconciledRole } from "./reconcile-policy.js";

/** The options of the controller. */
export interface BootstrapRolesOptions extends ControllerOptions {
  readonly features: { enabled(name: string): boolean };
  /** Called when all roles and bindings exist: before, only `system:masters` may do anything. */
  readonly onDone: () => void;
}

/** Number of objects that are written at a time: they share the flushes of the store. */
const concurrency = 64;

/**
 * Makes the roles and bindings that every cluster has, when the server starts, and gives those that exist what they lack.
 * What is changed later is not contradicted before the next start (v1.29).
 */
export function bootstrapRoles(options: BootstrapRolesOptions): Controller {
  const { client, features, onDone } = options;
  return {
    name: "bootstrap-roles",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: 1,
        initial: ["policy"],
        sources: [],
        async work() {
          if (client.find(clusterRoles) !== undefined) {
            await ensurePolicy(client, features);
          }
          onDone();
          return undefined;
        },
      }),
  };
}

const clusterRoles: GroupResource = Object.freeze({ group: rbacGroup, resource: "clusterroles" });
const clusterRoleBindings: GroupResource = Object.freeze({ group: rbacGroup, resource: "clusterrolebindings" });
const roles: GroupResource = Object.freeze({ group: rbacGroup, resource: "roles" });
const roleBindings: GroupResource = Object.freeze({ group: rbacGroup, resource: "rolebindings" });

async function ensurePolicy(client: ObjectClient, features: BootstrapRolesOptions["features"]): Promise<void> {
  const policy = bootstrapPolicy(features);
  const homes = new Set([...policy.roles, ...policy.roleBindings].map((object) => metaOf(object).namespace ?? ""));
  await forAll(homes, (name) => ensureNamespace(client, name));
  await moveOwnRules(client);
  await ensureAll(client, clusterRoles, policy.clusterRoles, ensureRole);
  await splitBindings(client, policy.clusterRoleBindings);
  await ensureAll(client, clusterRoleBindings, policy.clusterRoleBindings, ensureBinding);
  await ensureAll(client, roles, policy.roles, ensureRole);
  await ensureAll(client, roleBindings, policy.roleBindings, ensureBinding);
}

/** Roles that aggregate since v1.9, and the parts of them into which rules go that they had before. */
const partsOfRoles: Readonly<Record<string, string>> = {
  admin: "system:aggregate-to-admin",
  edit: "system:aggregate-to-edit",
  view: "system:aggregate-to-view",
};

/** Keeps the rules of a role that does not aggregate yet in its part, if that is missing, as v1.29 does. */
async function moveOwnRules(client: ObjectClient): Promise<void> {
  for (const [name, part] of Object.entries(partsOfRoles)) {
    const role = await client.get(clusterRoles, "", name);
    const isWhole = role !== undefined && role["aggregationRule"] === undefined;
    if (isWhole && (await client.get(clusterRoles, "", part)) === undefined) {
      const { labels = {}, annotations = {} } = metaOf(role);
      await client.create(clusterRoles, { ...role, metadata: { name: part, labels, annotations } });
    }
  }
}

/** Bindings that were a part of another one before v1.14. */
const formerBindings: Readonly<Record<string, string>> = { "system:public-info-viewer": "system:discovery" };

/**
 * Makes a missing binding that was a part of another one with the subjects of that, its labels and annotations, as v1.29
 * does: what an administrator has taken from somebody is not given back by another name.
 */
async function splitBindings(client: ObjectClient, policy: readonly JsonObject[]): Promise<void> {
  for (const [name, formerName] of Object.entries(formerBindings)) {
    const expected = policy.find((binding) => metaOf(binding).name === name);
    const former = await client.get(clusterRoleBindings, "", formerName);
    const isMissing = (await client.get(clusterRoleBindings, "", name)) === undefined;
    if (expected !== undefined && former !== undefined && isMissing) {
      const { labels = {}, annotations = {} } = metaOf(former);
      const subjects = former["subjects"] ?? [];
      const binding = { ...structuredClone(expected), metadata: { name, labels, annotations }, subjects };
      await client.create(clusterRoleBindings, binding);
    }
  }
}

/**
 * Makes what is missing, and has a closer look at what is not as expected. The server is not ready before, so each is read
 * by itself: there may be very many others.
 */
async function ensureAll(
  client: ObjectClient,
  resource: GroupResource,
  policy: readonly JsonObject[],
  ensure: typeof ensureRole,
): Promise<void> {
  await forAll(policy, async (expected) => {
    const { namespace = "", name = "" } = metaOf(expected);
    const existing = await client.get(resource, namespace, name);
    if (existing === undefined) {
      await client.create(resource, structuredClone(expected));
    } else if (!isAsExpected(existing, expected)) {
      await ensure(client, resource, expected);
    }
  });
}

/** Runs a task for every item, even when some fail; then throws the first error. */
async function forAll<T>(items: Iterable<T>, task: (item: T) => Promise<void>): Promise<void> {
  const errors = await forEachLimited(items, concurrency, task);
  if (errors.length > 0) {
    throw errors[0];
  }
}

function ensureRole(client: ObjectClient, resource: GroupResource, expected: JsonObject): Promise<void> {
  return ensureObject(client, resource, expected, (existing) => reconciledRole(existing, expected));
}

async function ensureBinding(client: ObjectClient, resource: GroupResource, expected: JsonObject): Promise<void> {
  let replaced: JsonObject | undefined;
  await ensureObject(client, resource, expected, (existing) => {
    const outcome = reconciledBinding(existing, expected);
    replaced = outcome.action === "recreate" ? existing : undefined;
    return outcome.action === "update" ? outcome.binding : undefined;
  });
  if (replaced !== undefined) {
    const { namespace = "", name = "", uid = "" } = metaOf(replaced);
    await client.delete(resource, namespace, name, { preconditions: { uid } });
    await client.create(resource, structuredClone(expected));
  }
}

/** Changes an object, or creates it again if it was deleted meanwhile. Repeats after a lost race. */
async function ensureObject(
  client: ObjectClient,
  resource: GroupResource,
  expected: JsonObject,
  revise: (existing: JsonObject) => JsonObject | undefined,
): Promise<void> {
  const { namespace = "", name = "" } = metaOf(expected);
  try {
    await client.update(resource, { namespace, name }, revise);
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
    await client.create(resource, structuredClone(expected));
  }
}

async function ensureNamespace(client: ObjectClient, name: string): Promise<void> {
  if ((await client.get(namespaces, "", name)) === undefined) {
    await client.create(namespaces, { kind: "Namespace", apiVersion: "v1", metadata: { name } }).catch((error) => {
      if (!isLostRace(error)) {
        throw error;
      }
    });
  }
}
