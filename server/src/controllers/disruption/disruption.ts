import {
  type Controller,
  isLostRace,
  isNotFound,
  type ObjectClient,
  type ObservedObject,
  untilAborted,
  WorkQueue,
  type WorkResult,
} from "@gatehouse/apiserver/client";
import { type JsonObject, valueAt } from "@gatehouse/envelopes/json";
import { type LabelSelectorObject, labelSelectorOf } from "@gatehouse/envelopes/selectors";
import { podDisruptionBudgets, pods } from "../core-resources.js";
import { BudgetEvents } from "./budget-events.js";
import { BudgetIndex } from "./budget-index.js";
import { countHealthy, pendingDisruptions, withFailure, withStatus } from "./budget-status.js";
import type { DisruptionOptions } from "./disruption-options.js";
import { expectedPods } from "./expected-pods.js";
import { podSummary } from "./pod-summary.js";
import { StaleTargets } from "./stale-targets.js";

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
      const events = new BudgetEvents(options);
      const queue = new WorkQueue({
        ...options,
        signal,
        concurrency: budgetsAtATime,
        work: (key) => reckon(options, events, key),
      });
      const targets = new StaleTargets(options, signal);
      await observe(options, { events, queue, targets }, signal);
      await untilAborted(signal);
      await Promise.all([queue.idle(), targets.idle()]);
      await events.idle();
    },
  };
}

interface Listeners {
  readonly events: BudgetEvents;
  readonly queue: WorkQueue;
  readonly targets: StaleTargets;
}

async function observe(
  { client, onError }: DisruptionOptions,
  { events, queue, targets }: Listeners,
  signal: AbortSignal,
): Promise<void> {
  const index = new BudgetIndex();
  const addBudget = ({ namespace, name, entry }: ObservedObject): void => {
    index.set(namespace, name, entry);
    queue.addAfter(`${namespace}/${name}`, settleMs);
  };
  const warnOfSeveral = ({ namespace, name, entry }: ObservedObject): void => {
    const [chosen, second] = index.of(namespace, [entry]);
    if (chosen !== undefined && second !== undefined) {
      events.multipleBudgets(entry, namespace, name, chosen);
    }
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
        for (const object of objects) {
          warnOfSeveral(object);
          targets.note(object);
          for (const name of index.of(object.namespace, [object.entry])) {
            queue.addAfter(`${object.namespace}/${name}`, batchMs);
          }
        }
      },
      onEvent(event) {
        const { namespace, entry, previous } = event;
        warnOfSeveral(event);
        if (event.type !== "DELETED") {
          targets.note(event);
        }
        for (const name of index.of(namespace, [entry, previous])) {
          queue.addAfter(`${namespace}/${name}`, batchMs);
        }
      },
      onError,
    },
    signal,
  );
}

async function reckon(options: DisruptionOptions, events: BudgetEvents, key: string): Promise<WorkResult> {
  const [namespace = "", name = ""] = key.split("/", 2);
  const { client, now } = options;
  const budget = await client.get(podDisruptionBudgets, namespace, name);
  if (budget === undefined) {
    return undefined;
  }
  try {
    const selected = await podsOf(client, namespace, budget, events);
    const summaries = selected.map(({ entry }) => podSummary(entry));
    if (selected.length === 0) {
      events.noPods(budget);
    }
    const expected = await expectedPods(client, namespace, budget, summaries).catch((error: unknown) => {
      events.countFailed(budget, messageOf(error));
      throw error;
    });
    if (expected.hasUnmanaged) {
      events.unmanagedPods(budget);
    }
    const { recheckAt, notDeleted } = pendingDisruptions(budget, summaries, now());
    for (const { name: podName, entry } of selected) {
      if (notDeleted.includes(podName)) {
        events.notDeleted(entry, namespace);
      }
    }
    await writeStatus(client, namespace, name, (current) => {
      // Evictions count in the status, too: what they have written since is taken into account.
      const disruptions = pendingDisruptions(current, summaries, now());
      return withStatus(current, expected, countHealthy(summaries, disruptions), disruptions, now());
    });
    return recheckAt === undefined ? undefined : { afterMs: Math.max(1, recheckAt - now() + 1) };
  } catch (error) {
    if (isLostRace(error)) {
      throw error;
    }
    await writeStatus(client, namespace, name, (current) => withFailure(current, messageOf(error), now()));
    return undefined;
  }
}

async function podsOf(
  client: ObjectClient,
  namespace: string,
  budget: JsonObject,
  events: BudgetEvents,
): Promise<readonly ObservedObject[]> {
  try {
    const selector = labelSelectorOf(valueAt(budget, "spec", "selector") as LabelSelectorObject | undefined);
    const all = await client.list(pods, namespace);
    return all.filter(({ entry }) => selector.matches(entry.labels()));
  } catch (error) {
    events.podsUnknown(budget, messageOf(error));
    throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
