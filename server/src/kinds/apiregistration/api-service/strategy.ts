import { isSet } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { setCondition } from "../../../objects/conditions.js";
import { timestamp } from "../../../objects/object-meta.js";

/** The strategy of APIService: those of this process are always available. */
export const apiServiceStrategy: ResourceStrategy = {
  prepareForCreate(apiService, context) {
    if (!isSet(apiService, "spec", "service")) {
      const message = "Local APIServices are always available";
      const condition = { type: "Available", status: "True", reason: "Local", message } as const;
      setCondition(apiService, condition, timestamp(context.nowMs));
    }
  },
};
