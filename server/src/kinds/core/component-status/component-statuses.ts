import {
  respondWithComputed,
  respondWithComputedList,
  type VerbEnvironment,
  type VerbHandler,
} from "@gatehouse/apiserver/verbs";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import { askHealth, type ComponentHealth } from "./ask-health.js";

type AskHealth = (environment: VerbEnvironment, signal: AbortSignal) => Promise<ComponentHealth>;

/**
 * Components of a control plane by name. As v1.29 does, health is asked for on this machine (deprecated since v1.19,
 * still in use).
 */
const components: ReadonlyMap<string, AskHealth> = new Map<string, AskHealth>([
  ["scheduler", (_, signal) => askHealth("https://127.0.0.1:10259/healthz", signal)],
  ["controller-manager", (_, signal) => askHealth("https://127.0.0.1:10257/healthz", signal)],
  ["etcd-0", storeHealth],
]);

/** Handles GET of /componentstatuses/<name>. Throws 404 for an unknown component. */
export const getComponentStatus: VerbHandler = (scope) => {
  const { environment, context } = scope;
  return respondWithComputed(scope, async () => {
    const { name } = context.info;
    const ask = components.get(name);
    if (ask === undefined) {
      throw new StatusError(404, "NotFound", `Component not found: ${name}`);
    }
    return componentStatus(name, await ask(environment, context.signal));
  });
};

/** Handles GET of /componentstatuses. */
export const listComponentStatuses: VerbHandler = (scope) =>
  respondWithComputedList(scope, async () => ({
    items: await Promise.all(
      Array.from(components, async ([name, ask]) =>
        componentStatus(name, await ask(scope.environment, scope.context.signal)),
      ),
    ),
  }));

async function storeHealth(environment: VerbEnvironment): Promise<ComponentHealth> {
  const isHealthy = await environment.storeHealthy();
  return { isHealthy, message: isHealthy ? "ok" : "the store does not answer" };
}

function componentStatus(name: string, { isHealthy, message }: ComponentHealth): JsonObject {
  return {
    kind: "ComponentStatus",
    apiVersion: "v1",
    metadata: { name, creationTimestamp: null },
    conditions: [{ type: "Healthy", status: isHealthy ? "True" : "False", message }],
  };
}
