import {
  type Controller,
  type ControllerOptions,
  isNotFound,
  type ObservedObject,
  untilAborted,
  WorkQueue,
} from "@gatehouse/apiserver/client";
import type { RegistrySource } from "@gatehouse/apiserver/registry";
import { integerAt, type JsonObject } from "@gatehouse/envelopes/json";
import { runSteps, yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import { checkTypes } from "./check-types.js";

const policies = Object.freeze({ group: "admissionregistration.k8s.io", resource: "validatingadmissionpolicies" });

/** The name by which v1.29 owns the status. */
const fieldManager = "validatingadmissionpolicy-status";

/** The options of the controller that checks the types of policies. */
export interface PolicyTypeCheckingOptions extends ControllerOptions {
  readonly liveRegistry: RegistrySource;
}

/**
 * Keeps the status of ValidatingAdmissionPolicies: what is wrong with their expressions for the kinds that they are about.
 * A policy is checked once for each of its generations. What is found changes nothing in the way it is applied.
 */
export function policyTypeChecking(options: PolicyTypeCheckingOptions): Controller {
  return {
    name: "validatingadmissionpolicy-status-controller",
    async run(signal) {
      if (options.client.find(policies) === undefined) {
        return;
      }
      const queue = new WorkQueue({ ...options, signal, concurrency: 1, work: (name) => check(options, name, signal) });
      const add = ({ name, entry }: ObservedObject): void => {
        if (isUnchecked(entry.object())) {
          queue.add(name);
        }
      };
      await options.client.observe(
        policies,
        {
          onList: (objects) => objects.forEach(add),
          onEvent: (event) => event.type !== "DELETED" && add(event),
          onError: options.onError,
        },
        signal,
      );
      await untilAborted(signal);
      await queue.idle();
    },
  };
}

function isUnchecked(policy: JsonObject): boolean {
  return generationOf(policy) > Number(integerAt(policy, "status", "observedGeneration"));
}

function generationOf(policy: JsonObject): number {
  return Number(integerAt(policy, "metadata", "generation"));
}

async function check(
  { client, liveRegistry }: PolicyTypeCheckingOptions,
  name: string,
  signal: AbortSignal,
): Promise<undefined> {
  const policy = await client.get(policies, "", name);
  if (policy === undefined || !isUnchecked(policy)) {
    return undefined;
  }
  const steps = checkTypes(policy, liveRegistry.current);
  const expressionWarnings = await runSteps({ signal, yield: () => yieldToEventLoop() }, steps);
  const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings: [...expressionWarnings] };
  const observedGeneration = generationOf(policy);
  try {
    // A newer generation is checked on its own.
    const partial = { metadata: { name }, status: { observedGeneration, typeChecking } };
    await client.apply(policies, { namespace: "", name, subresource: "status" }, partial, fieldManager);
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
  return undefined;
}
