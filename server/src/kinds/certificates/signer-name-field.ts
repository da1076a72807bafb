import { textAt } from "@gatehouse/envelopes";
import type { SelectableField } from "../../catalogue/resource-definition.js";

/** The field `spec.signerName`, by which signers select what is meant for them. */
export const signerNameField: Readonly<Record<string, SelectableField>> = {
  "spec.signerName": (object) => textAt(object, "spec", "signerName"),
};
