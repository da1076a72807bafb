import { type Controller, isTerminating, type ObjectClient, reconcile } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { persistentVolumeClaims, pods } from "../core-resources.js";
import { claimsOfPod, mayNameClaims, podUsesClaim } from "./pod-claims.js";
import { needsProtectionWork, type Protection, type ProtectionOptions, protect } from "./protection-finalizer.js";

const finalizer = "kubernetes.io/pvc-protection";
const claimsAtATime = 5;

/** Lets PersistentVolumeClaims that are being deleted go when no pod on a node uses them. */
export function claimProtection(options: ProtectionOptions): Controller {
  const { client } = options;
  const protection: Protection = {
    resource: persistentVolumeClaims,
    finalizer,
    isUsed: (claim) => isUsedByPod(client, claim),
  };
  return {
    name: "persistentvolumeclaim-protection-controller",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: claimsAtATime,
        sources: [
          {
            resource: persistentVolumeClaims,
            keyOf: ({ namespace, name, entry }, event) =>
              event !== "DELETED" && needsProtectionWork(options, finalizer, entry)
                ? `${namespace}/${name}`
                : undefined,
          },
          {
            resource: pods,
            // A pod that goes, or may, is looked at with all of its claims; one that comes makes no claim free.
            keyOf: ({ namespace, entry }, event) =>
              (event === "MODIFIED" || event === "DELETED") &&
              mayNameClaims(entry) &&
              hasTerminatingClaim(client, namespace, entry.object())
                ? namespace
                : undefined,
          },
        ],
        async work(key) {
          const [namespace = "", name] = key.split("/", 2);
          const names = name === undefined ? await terminatingClaims(client, namespace) : [name];
          for (const one of names) {
            await protect(options, protection, namespace, one);
          }
          return undefined;
        },
      }),
  };
}

function hasTerminatingClaim(client: ObjectClient, namespace: string, pod: JsonObject): boolean {
  return claimsOfPod(pod).some((name) => {
    const claim = client.cached(persistentVolumeClaims, namespace, name);
    return claim !== undefined && isTerminating(claim);
  });
}

async function terminatingClaims(client: ObjectClient, namespace: string): Promise<readonly string[]> {
  const claims = await client.list(persistentVolumeClaims, namespace);
  return claims.filter(({ entry }) => isTerminating(entry)).map(({ name }) => name);
}

async function isUsedByPod(client: ObjectClient, claim: JsonObject): Promise<boolean> {
  const found = await client.list(pods, metaOf(claim).namespace ?? "");
  return found.some(({ entry }) => mayNameClaims(entry) && podUsesClaim(entry.object(), claim));
}
