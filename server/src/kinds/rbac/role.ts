import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { validatePathSegmentName } from "@gatehouse/envelopes/validation";
import { guardRole } from "./escalation/role-guard.js";
import { roleValidation } from "./validation/roles.js";

/** The definition of Role, granted in its namespace. */
export const roleDefinition: KindDefinition = {
  resource: "roles",
  kind: "Role",
  namespaced: true,
  storageVersionHash: "7FuwZcIIItM=",
  strategy: {
    validation: roleValidation,
    metadata: { rechecks: "inValidation", validateName: validatePathSegmentName },
    create: { authorize: guardRole },
    update: { allowCreateOnUpdate: true, authorize: guardRole },
  },
};
