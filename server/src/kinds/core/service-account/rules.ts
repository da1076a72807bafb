import type { KindRules } from "../../../catalogue/resource-definition.js";

/** v1.29 looks at nothing but metadata. */
export const serviceAccountRules: KindRules = { create: () => undefined, update: () => undefined };
