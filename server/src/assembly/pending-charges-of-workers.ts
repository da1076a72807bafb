import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { type ChargeChange, PendingCharges } from "../quota/pending-charges.js";
import { resourceList } from "../quota/resource-list.js";
import type { WorkerGroup } from "../workers/worker-group.js";

const changesTopic = "quota charges";
const allTopic = "quota charges of all";

/** Opens the pending charges of a process. The worker that runs the controllers knows those of all workers. */
export function openPendingCharges(
  now: () => number,
  workers: Pick<WorkerGroup, "ask" | "askLeader" | "answer"> | undefined,
): PendingCharges {
  if (workers === undefined) {
    return new PendingCharges(now);
  }
  const charges = new PendingCharges(now, {
    async publish(changes) {
      await workers.askLeader(changesTopic, changes.map(encodeChange));
    },
    gather: async () => (await workers.ask(allTopic, null)).flatMap(decodeChanges),
  });
  workers.answer(changesTopic, (changes) => {
    charges.learn(decodeChanges(changes));
    return null;
  });
  workers.answer(allTopic, () => charges.all().map(encodeChange));
  return charges;
}

/** A change as it is sent: amounts as texts, by quota. */
function encodeChange(change: ChargeChange): JsonObject {
  if (change.type === "settle") {
    return { ...change };
  }
  const charges = [...change.charges].map(([quota, amounts]): [string, JsonObject] => [
    quota,
    Object.fromEntries([...amounts].map(([name, { text }]) => [name, text])),
  ]);
  return { ...change, charges: Object.fromEntries(charges) };
}

function decodeChanges(changes: JsonValue): ChargeChange[] {
  return (changes as unknown as readonly EncodedChange[]).map((change) =>
    change.type === "settle"
      ? change
      : {
          ...change,
          charges: new Map(Object.entries(change.charges).map(([quota, amounts]) => [quota, resourceList(amounts)])),
        },
  );
}

type EncodedChange =
  | Extract<ChargeChange, { readonly type: "settle" }>
  | {
      readonly type: "add";
      readonly namespace: string;
      readonly uid: string;
      readonly charges: Readonly<Record<string, JsonObject>>;
    };
