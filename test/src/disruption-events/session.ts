import type { ApiClient } from "../spec/support/api-client.js";
import type { ApiDocument } from "../spec/support/api-document.js";
import { until } from "../support/until.js";

/** The flags of the servers that are asked: pods are made without their ServiceAccount. */
export const sessionFlags: readonly string[] = ["--disable-admission-plugins=ServiceAccount"];

/** An event of the session, without what differs from run to run. */
export interface SessionEvent {
  readonly name: string;
  readonly event: unknown;
}

const core = "/api/v1/namespaces/default";
const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

/** Makes budgets of which the disruption controller has something to report, and resolves to its events. */
export async function disruptionEventSession(client: ApiClient): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  const make = async (path: string, object: object): Promise<void> => {
    const { status, text } = await client.post(path, object);
    if (status !== 201) {
      throw new Error(`${path}: ${status} ${text}`);
    }
  };
  const makePod = (name: string, owner?: object): Promise<void> =>
    make(`${core}/pods`, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name,
        labels: { app: name, tier: "x" },
        ...(owner === undefined ? {} : { ownerReferences: [{ ...owner, controller: true }] }),
      },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
  const makeBudget = (name: string, spec: object, app = name): Promise<void> =>
    make(budgets, {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name },
      spec: { selector: { matchLabels: { app } }, ...spec },
    });
  const note = async (name: string, about: string, reason: string): Promise<void> => {
    const event = await until(`${reason} of ${about}`, async () => {
      const { document } = await client.get(
        `${core}/events?fieldSelector=involvedObject.name=${about},reason=${reason}`,
      );
      return (document["items"] as ApiDocument[] | undefined)?.[0];
    });
    events.push({ name, event: withoutChance(event, about) });
  };

  await makeBudget("none", { minAvailable: 1 });
  await note("no pods", "none", "NoPods");

  await makePod("alone");
  const expressions = [
    { key: "tier", operator: "In", values: ["w", "x"] },
    { key: "other", operator: "DoesNotExist" },
  ];
  const selector = { matchLabels: { tier: "x", app: "alone" }, matchExpressions: expressions };
  await makeBudget("share", { minAvailable: "50%", selector });
  await note("a share of pods without a controller", "share", "UnmanagedPods");
  await makeBudget("unavailable", { maxUnavailable: 1 }, "alone");
  await note("a number of pods without a controller that may go", "unavailable", "UnmanagedPods");

  await makePod("lost", { apiVersion: "apps/v1", kind: "ReplicaSet", name: "gone", uid: "1" });
  await makeBudget("lost", { maxUnavailable: 1 });
  await note("a controller that is gone", "lost", "CalculateExpectedPodCountFailed");

  await make(`${core}/configmaps`, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owner" } });
  const { document } = await client.get(`${core}/configmaps/owner`);
  const { uid } = document["metadata"] as ApiDocument;
  await makePod("scaleless", { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid });
  await makeBudget("scaleless", { minAvailable: "10%" });
  await note("a controller without a scale", "scaleless", "CalculateExpectedPodCountFailed");

  await makePod("unknown", { apiVersion: "example.com/v1", kind: "Odd", name: "gone", uid: "2" });
  await makeBudget("unknown", { minAvailable: "10%" });
  await note("a controller of an unknown kind", "unknown", "CalculateExpectedPodCountFailed");

  await makeBudget("first", { minAvailable: 1 }, "two");
  await makeBudget("second", { minAvailable: 1 }, "two");
  await note("no pods of a second budget", "second", "NoPods");
  await makePod("two");
  await note("two budgets of a pod", "two", "MultiplePodDisruptionBudgets");
  return events;
}

/** Returns an event with what is chance in it replaced by whether it is as it should be. */
function withoutChance(event: ApiDocument, about: string): unknown {
  const { metadata, involvedObject, firstTimestamp, lastTimestamp, count, message, ...rest } = event;
  const { name, namespace } = metadata as ApiDocument;
  const { uid, resourceVersion, ...object } = involvedObject as ApiDocument;
  return {
    ...rest,
    metadata: { namespace, isNamedByTime: new RegExp(`^${about}\\.[0-9a-f]{16}$`).test(String(name)) },
    involvedObject: {
      ...object,
      hasUid: String(uid).length === 36,
      hasVersion: /^[0-9]+$/.test(String(resourceVersion)),
    },
    isCounted: Number(count) >= 1 && String(firstTimestamp) <= String(lastTimestamp),
    // v1.29 looks at budgets in no certain order.
    message: String(message).replace(/Chose "(first|second)"/, "Chose one"),
  };
}
