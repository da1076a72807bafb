import { setCondition, timestamp } from "@gatehouse/apiserver/objects";
import type { ResourceStrategy } from "@gatehouse/apiserver/registry";
import { isSet } from "@gatehouse/envelopes/json";

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
