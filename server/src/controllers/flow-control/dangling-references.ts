import {
  type Controller,
  type ControllerOptions,
  ignoreNotFound,
  type ObjectClient,
  reconcile,
} from "@gatehouse/apiserver/client";
import { type PriorityLevel, readPriorityLevel } from "@gatehouse/apiserver/flow-control";
import { conditionOfType, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { flowSchemas, priorityLevels } from "./flow-control-resources.js";

/** The options of the controller. */
export interface DanglingReferencesOptions extends ControllerOptions {
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** The manager of the conditions, as in v1.29. */
const configConsumer = "api-priority-and-fairness-config-consumer-v1";

/** The number of times in a minute that the condition of one schema is written: servers may contradict each other. */
const maxWritesPerMinute = 6;
const minuteMs = 60_000;
/** Bounds in milliseconds of the wait for a schema whose condition was written too often. */
const delay = { leastMs: 30_000, spreadMs: 45_000 };

/** Keeps the condition `Dangling` of flow schemas: whether the priority level exists that a schema names. */
export function danglingReferences(options: DanglingReferencesOptions): Controller {
  const { client, random = Math.random } = options;
  return {
    name: "priority-and-fairness-config-consumer",
    run: (signal) => {
      const writes = new RecentWrites(options.now);
      return reconcile({
        ...options,
        signal,
        concurrency: 1,
        sources: [priorityLevels, flowSchemas].map((resource) => ({ resource, keyOf: () => "conditions" })),
        async work() {
          const isDelayed = await writeConditions(client, writes, options.now);
          return isDelayed ? { afterMs: delay.leastMs + random() * delay.spreadMs } : undefined;
        },
      });
    },
  };
}

/** Writes the conditions that are not as they should be. Resolves to true if one was written too often to write it now. */
async function writeConditions(client: ObjectClient, writes: RecentWrites, now: () => number): Promise<boolean> {
  if (client.find(flowSchemas) === undefined) {
    return false;
  }
  const levels = await knownLevels(client);
  const due = (await client.list(flowSchemas, "")).flatMap(({ name, entry }) => {
    const condition = neededCondition(entry.object(), levels);
    return condition === undefined ? [] : [{ name, condition }];
  });
  const written = due.filter(({ name }) => writes.mayWrite(name));
  const lastTransitionTime = `${new Date(now()).toISOString().slice(0, 19)}Z`;
  await Promise.all(
    written.map(({ name, condition }) =>
      client
        .apply(
          flowSchemas,
          { namespace: "", name, subresource: "status" },
          { metadata: { name }, status: { conditions: [{ ...condition, lastTransitionTime }] } },
          configConsumer,
        )
        .catch(ignoreNotFound),
    ),
  );
  return written.length < due.length;
}

async function knownLevels(client: ObjectClient): Promise<ReadonlySet<string>> {
  const stored = client.find(priorityLevels) === undefined ? [] : await client.list(priorityLevels, "");
  const usable = stored
    .map(({ entry }) => readPriorityLevel(entry.object()))
    .filter((level): level is PriorityLevel => level !== undefined);
  return new Set(usable.map(({ name }) => name));
}

/** Returns the condition that a schema should have; undefined when it has it. */
function neededCondition(schema: JsonObject, levels: ReadonlySet<string>): JsonObject | undefined {
  const level = textAt(schema, "spec", "priorityLevelConfiguration", "name");
  const exists = levels.has(level);
  const named = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  const wanted = {
    type: "Dangling",
    status: exists ? "False" : "True",
    reason: exists ? "Found" : "NotFound",
    message: exists ? `${named} and it exists` : `${named} but there is no such object`,
  };
  const present = conditionOfType(listAt(schema, "status", "conditions"), "Dangling");
  const isPresent =
    present !== undefined && (["status", "reason", "message"] as const).every((name) => present[name] === wanted[name]);
  return isPresent ? undefined : wanted;
}

/** The writes of the last minute by schema. */
class RecentWrites {
  readonly #now: () => number;
  readonly #times = new Map<string, readonly number[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Reports whether the condition of a schema may be written now, and counts the write. */
  mayWrite(name: string): boolean {
    const now = this.#now();
    for (const [known, times] of this.#times) {
      if ((times.at(-1) ?? 0) < now - minuteMs) {
        this.#times.delete(known);
      }
    }
    const recent = (this.#times.get(name) ?? []).filter((time) => time >= now - minuteMs);
    if (recent.length >= maxWritesPerMinute) {
      return false;
    }
    this.#times.set(name, [...recent, now]);
    return true;
  }
}
