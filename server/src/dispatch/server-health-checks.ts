import { type HealthCheck, type HealthChecks, pingCheck } from "@gatehouse/component-base";
import type { Store } from "../storage/store.js";
import type { StoreCondition } from "../storage/store-condition.js";

/**
 * What `/livez`, `/readyz` and `/healthz` look at, under v1.29's names where the same thing is checked. A full disk makes
 * the server not ready; it is no reason to kill it, since reads go on. Damaged data are told by `/healthz` alone, for those
 * who watch over the server: one damaged object must not keep the others from being served.
 */
export function serverHealthChecks(store: Pick<Store, "ping" | "condition">): HealthChecks {
  const answers = { name: "etcd", check: () => store.ping() };
  const isReady = { name: "etcd-readiness", check: () => store.ping() };
  const writes = conditionCheck("store-writes", () => store.condition().writing);
  const integrity = conditionCheck("store-integrity", () => store.condition().damage);
  return {
    livez: [pingCheck, answers],
    readyz: [pingCheck, answers, isReady, writes],
    healthz: [pingCheck, answers, writes, integrity],
  };
}

function conditionCheck(
  name: string,
  problemOf: () => StoreCondition["writing"] | StoreCondition["damage"],
): HealthCheck {
  return {
    name,
    check: () => {
      const problem = problemOf();
      if (problem !== undefined) {
        throw problem;
      }
    },
  };
}
