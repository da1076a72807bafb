import type { KindRules } from "@gatehouse/apiserver/registry";

/** v1.29 looks at nothing but metadata. */
export const serviceAccountRules: KindRules = { create: () => undefined, update: () => undefined };
