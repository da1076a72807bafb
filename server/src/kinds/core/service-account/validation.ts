import type { KindValidation } from "@gatehouse/apiserver/registry";

/** Rules of ServiceAccount: none beyond those of metadata. */
export const serviceAccountValidation: KindValidation = { create: () => undefined, update: () => undefined };
