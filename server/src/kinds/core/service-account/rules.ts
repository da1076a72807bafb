import type { KindRules } from "../../../catalogue/resource-definition.js";

/** Rules of ServiceAccount: none beyond those of metadata. */
export const serviceAccountRules: KindRules = { create: () => undefined, update: () => undefined };
