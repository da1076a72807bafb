import type { SelectableField } from "@gatehouse/apiserver/registry";
import { textAt } from "@gatehouse/envelopes";

/** The field `spec.signerName`, by which signers select what is meant for them. */
export const signerNameField: Readonly<Record<string, SelectableField>> = {
  "spec.signerName": (object) => textAt(object, "spec", "signerName"),
};
