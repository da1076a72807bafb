import type { KindSchema } from "@gatehouse/envelopes/schema";

/** The schemas of a kind and of its lists, each compiled when it is first asked for. */
export interface ResourceSchemas {
  readonly kind: KindSchema;
  readonly list: KindSchema;
}
