import type { ServedResource } from "../registry/served-resource.js";

/** Returns the group and kind for messages: those of the stored form where that has another group, as events do. */
export function kindOfMessages({ definition, group, kind }: ServedResource): {
  readonly group: string;
  readonly kind: string;
} {
  return { group: definition.storage?.group ?? group, kind };
}
