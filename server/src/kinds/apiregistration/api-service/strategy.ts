import { setCondition, timestamp } from "@gatehouse/apiserver/objects";
import { type KindStrategy, keepClientMetadata } from "@gatehouse/apiserver/registry";
import { isSet } from "@gatehouse/envelopes/json";
import { validatePathSegmentName } from "@gatehouse/envelopes/validation";
import { apiServiceValidation } from "./validation.js";

/** The strategy of APIService: those of this process are always available. */
export const apiServiceStrategy: KindStrategy = {
  validation: apiServiceValidation,
  metadata: { knownFinalizersOnly: false, validateName: validatePathSegmentName },
  create: {
    prepareForCreate(apiService, context) {
      if (!isSet(apiService, "spec", "service")) {
        const message = "Local APIServices are always available";
        const condition = { type: "Available", status: "True", reason: "Local", message } as const;
        setCondition(apiService, condition, timestamp(context.nowMs));
      }
    },
  },
  update: { allowUnconditionalUpdate: false },
  status: { resetFields: ["metadata", "spec"], prepareForUpdate: keepClientMetadata },
};
