import { timestamp } from "@gatehouse/apiserver/objects";
import { conditionOfType, type JsonObject, listAt, ownObject, textAt } from "@gatehouse/envelopes/json";

const conditionType = "AllEncodingVersionsEqual";

/**
 * Sets the common version and the condition of a StorageVersion from what the servers say in it. Nothing changes when it
 * says so already. The object is changed in place.
 */
export function setCommonEncoding(storageVersion: JsonObject, nowMs: number): void {
  const status = ownObject(storageVersion, "status");
  const former = textAt(status, "commonEncodingVersion");
  const encodings = new Set(listAt(status, "storageVersions").map((server) => textAt(server, "encodingVersion")));
  const [common] = encodings.size === 1 ? encodings : [];
  if (common === undefined) {
    delete status["commonEncodingVersion"];
  } else {
    status["commonEncodingVersion"] = common;
  }
  const isSet = common !== undefined;
  // A change from one common version to another is told by the time alone.
  const isReplaced = isSet && former !== "" && former !== common;
  const condition = conditionWith(isSet, nowMs);
  const known = conditionOfType(listAt(status, "conditions"), conditionType);
  if (known === undefined) {
    status["conditions"] = [...listAt(status, "conditions"), condition];
    return;
  }
  const { lastTransitionTime, ...rest } = condition;
  const isChanged = textAt(known, "status") !== condition["status"] || isReplaced;
  Object.assign(known, rest, isChanged ? { lastTransitionTime } : {});
  delete known["observedGeneration"];
}

function conditionWith(isSet: boolean, nowMs: number): JsonObject {
  return {
    type: conditionType,
    status: isSet ? "True" : "False",
    lastTransitionTime: timestamp(nowMs),
    reason: isSet ? "CommonEncodingVersionSet" : "CommonEncodingVersionUnset",
    message: isSet ? "Common encoding version set" : "Common encoding version unset",
  };
}
