import { copyMembers, timestamp } from "@gatehouse/apiserver/objects";
import type { KindStrategy, StrategyContext } from "@gatehouse/apiserver/registry";
import {
  isSet,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  ownObject,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import { certificateSigningRequestValidation } from "./validation/index.js";

/**
 * The strategy of CertificateSigningRequest: the spec names the user who makes it and never changes. Approval and
 * denial are written through /approval, everything else in the status through /status.
 */
export const certificateSigningRequestStrategy: KindStrategy = {
  validation: certificateSigningRequestValidation,
  metadata: {
    rechecks: "inValidation",
    // Only the check of any kind holds: the name must fit into a path.
    validateName: () => [],
  },
  create: {
    prepareForCreate(request, context) {
      const { username, uid = "", groups, extra = {} } = context.user;
      const spec = ownObject(request, "spec");
      for (const name of ["username", "uid", "groups", "extra"]) {
        delete spec[name];
      }
      spec["username"] = username;
      if (uid !== "") {
        spec["uid"] = uid;
      }
      if (groups.length > 0) {
        spec["groups"] = [...groups];
      }
      if (Object.keys(extra).length > 0) {
        spec["extra"] = Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
      }
    },
  },
  update: {
    prepareForUpdate: keepSpec,
    resetFields: ["spec", "status"],
    subresources: { approval: { prepareForUpdate: takeConditionsOnly, resetFields: ["spec", "status.certificate"] } },
  },
  status: {
    resetFields: ["spec", "status.conditions"],
    prepareForUpdate(request, old, context) {
      keepConditions(request, old, "Approved");
      keepConditions(request, old, "Denied");
      completeConditionTimes(request, old, context);
    },
  },
};

function keepSpec(request: JsonObject, old: JsonObject): void {
  copyMembers(old, request, ["spec"]);
}

function takeConditionsOnly(request: JsonObject, old: JsonObject, context: StrategyContext): void {
  keepSpec(request, old);
  completeConditionTimes(request, old, context);
  const conditions = valueAt(request, "status", "conditions");
  const status: JsonObject = { ...objectAt(old, "status") };
  if (conditions === undefined) {
    delete status["conditions"];
  } else {
    status["conditions"] = conditions;
  }
  request["status"] = status;
}

/** Restores the old conditions of a type, unless their number has changed, which validation refuses. */
function keepConditions(request: JsonObject, old: JsonObject, type: string): void {
  const oldConditions = ofType(listAt(old, "status", "conditions"), type);
  const conditions = listAt(request, "status", "conditions");
  if (ofType(conditions, type).length !== oldConditions.length) {
    return;
  }
  for (const [index, condition] of conditions.entries()) {
    if (textAt(condition, "type") === type) {
      conditions[index] = structuredClone(oldConditions.shift() as JsonValue);
    }
  }
}

function ofType(conditions: JsonArray, type: string): JsonArray {
  return conditions.filter((condition) => textAt(condition, "type") === type);
}

function completeConditionTimes(request: JsonObject, old: JsonObject, context: StrategyContext): void {
  const now = timestamp(context.nowMs);
  const oldConditions = listAt(old, "status", "conditions");
  for (const condition of listAt(request, "status", "conditions") as JsonObject[]) {
    if (!isSet(condition, "lastUpdateTime")) {
      condition["lastUpdateTime"] = now;
    }
    if (!isSet(condition, "lastTransitionTime")) {
      const before = oldConditions.find(
        (item) =>
          textAt(item, "type") === textAt(condition, "type") &&
          textAt(item, "status") === textAt(condition, "status") &&
          isSet(item, "lastTransitionTime"),
      );
      condition["lastTransitionTime"] = before === undefined ? now : textAt(before, "lastTransitionTime");
    }
  }
}
