import { metaOf } from "@gatehouse/apiserver/objects";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { booleanAt, isSet, type JsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";

const marks = [Buffer.from('"persistentVolumeClaim":{'), Buffer.from('"ephemeral":{')];

/** Reports whether a pod may have claims as volumes. False is certain: most pods have none, and are not parsed. */
export function mayNameClaims(entry: CacheEntry): boolean {
  return marks.some((mark) => entry.bytes.includes(mark));
}

/** Returns the names of the claims that are volumes of a pod, including those of ephemeral volumes. */
export function claimsOfPod(pod: JsonObject): readonly string[] {
  return listAt(pod, "spec", "volumes").flatMap((volume) => {
    if (isSet(volume, "persistentVolumeClaim")) {
      return [textAt(volume, "persistentVolumeClaim", "claimName")];
    }
    return isSet(volume, "ephemeral") ? [ephemeralClaim(pod, volume)] : [];
  });
}

/**
 * Reports whether a pod is on a node and has a claim among its volumes. An ephemeral claim is free once its pod is shut
 * down.
 */
export function podUsesClaim(pod: JsonObject, claim: JsonObject): boolean {
  const { name } = metaOf(claim);
  return (
    textAt(pod, "spec", "nodeName") !== "" &&
    listAt(pod, "spec", "volumes").some(
      (volume) =>
        (isSet(volume, "persistentVolumeClaim") && textAt(volume, "persistentVolumeClaim", "claimName") === name) ||
        (isSet(volume, "ephemeral") &&
          ephemeralClaim(pod, volume) === name &&
          isControlledBy(claim, pod) &&
          !isShutDown(pod)),
    )
  );
}

function ephemeralClaim(pod: JsonObject, volume: JsonValue): string {
  return `${metaOf(pod).name}-${textAt(volume, "name")}`;
}

function isControlledBy(claim: JsonObject, pod: JsonObject): boolean {
  const owners = listAt(claim, "metadata", "ownerReferences");
  return owners.some((owner) => booleanAt(owner, "controller") && textAt(owner, "uid") === metaOf(pod).uid);
}

/** Reports whether a pod is deleted without a grace period: its kubelet is done with it, or none is waited for. */
function isShutDown(pod: JsonObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metaOf(pod);
  return deletionTimestamp !== undefined && Number(deletionGracePeriodSeconds) === 0;
}
