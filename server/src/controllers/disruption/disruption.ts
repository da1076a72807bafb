import {
  type Controller,
  type ControllerOptions,
  isLostRace,
  isNotFound,
  type ObjectClient,
  type ObservedObject,
  untilAborted,
  WorkQueue,
  type WorkResult,
} from "@gatehouse/apiserver/client";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { podDisruptionBudgets, pods } from "../core-resources.js";
import { BudgetIndex, budgetSelector } from "./budget-index.js";
import { countHealthy, pendingDisruptions, withFailure, withStatus } from "./budget-status.js";
import { expectedPods } from "./expected-pods.js";
import { type PodSummary, podSummary } from "./pod-summary.js";

/** The options of the disruption controller. */
export interface DisruptionOptions extends ControllerOptions {
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Milliseconds for which changes are collected: pods of one workload change together. */
const batchMs = 20;
/**
 * Milliseconds before the status of a changed budget is written: its author often writes again at once, with the
 * resourceVersion of the first answer.
 */
const settleMs = 1000;
const budgetsAtATime = 4;

/** Keeps the status of PodDisruptionBudgets: how many of their pods are healthy, and how many evictions that allows. */
export function disruption(options: DisruptionOptions): Controller {
  return {
    name: "disruption-controller",
    async run(signal) {
      const queue = new WorkQueue({
        ...options,
        signal,
        concurrency: budgetsAtATime,
        work: (key) => reckon(options, key),
      });
      await observe(options, queue, signal);
      await untilAborted(signal);
      await queue.idle();
    },
  };
}

async function observe({ client, onError }: DisruptionOptions, queue: WorkQueue, signal: AbortSignal): Promise<void> {
  const index = new BudgetIndex();
  const addBudget = ({ namespace, name, entry }: ObservedObject): void => {
    index.set(namespace, name, entry);
    queue.addAfter(`${namespace}/${name}`, settleMs);
  };
  // First, so that the pods that follow are known to matter.
  await client.observe(
    podDisruptionBudgets,
    {
      onList: (objects) => objects.forEach(addBudget),
      onEvent(event) {
        if (event.type === "DELETED") {
          index.delete(event.namespace, event.name);
        } else {
          addBudget(event);
        }
      },
      onError,
    },
    signal,
  );
  await client.observe(
    pods,
    {
      // Every budget is reckoned at the beginning; after a gap, those of all pods that are told anew.
      onList(objects) {
        for (const { namespace, entry } of objects) {
          for (const name of index.of(namespace, [entry])) {
            queue.addAfter(`${namespace}/${name}`, batchMs);
          }
        }
      },
      onEvent({ namespace, entry, previous }) {
        for (const name of index.of(namespace, [entry, previous])) {
          queue.addAfter(`${namespace}/${name}`, batchMs);
        }
      },
      onError,
    },
    signal,
  );
}

async function reckon(options: DisruptionOptions, key: string): Promise<WorkResult> {
  const [namespace = "", name = ""] = key.split("/", 2);
  const { client, now } = options;
  const budget = await client.get(podDisruptionBudgets, namespace, name);
  if (budget === undefined) {
    return undefined;
  }
  try {
    const selected = await podsOf(client, namespace, budget);
    const expected = await expectedPods(client, namespace, budget, selected);
    const recheckAt = pendingDisruptions(budget, selected, now()).recheckAt;
    await writeStatus(client, namespace, name, (current) => {
      // Evictions count in the status, too: what they have written since is taken into account.
      const disruptions = pendingDisruptions(current, selected, now());
      return withStatus(current, expected, countHealthy(selected, disruptions), disruptions, now());
    });
    return recheckAt === undefined ? undefined : { afterMs: Math.max(1, recheckAt - now() + 1) };
  } catch (error) {
    if (isLostRace(error)) {
      throw error;
    }
    const problem = error instanceof Error ? error.message : String(error);
    await writeStatus(client, namespace, name, (current) => withFailure(current, problem, now()));
    return undefined;
  }
}

async function podsOf(client: ObjectClient, namespace: string, budget: JsonObject): Promise<PodSummary[]> {
  const selector = budgetSelector(budget);
  const all = selector === undefined ? [] : await client.list(pods, namespace);
  return all.filter(({ entry }) => selector?.matches(entry.labels()) === true).map(({ entry }) => podSummary(entry));
}

async function writeStatus(
  client: ObjectClient,
  namespace: string,
  name: string,
  revise: (budget: JsonObject) => JsonObject | undefined,
): Promise<void> {
  try {
    await client.update(podDisruptionBudgets, { namespace, name, subresource: "status" }, revise);
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
}
