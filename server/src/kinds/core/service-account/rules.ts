import type { KindRules } from "@gatehouse/apiserver/registry";

/** Rules of ServiceAccount: none beyond those of metadata. */
export const serviceAccountRules: KindRules = { create: () => undefined, update: () => undefined };
