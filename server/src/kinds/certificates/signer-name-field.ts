import { textAt } from "@gatehouse/envelopes";
import type { SelectableField } from "../../catalogue/resource-definition.js";

/** The selectable field `spec.signerName`, by which signers find their objects. */
export const signerNameField: Readonly<Record<string, SelectableField>> = {
  "spec.signerName": (object) => textAt(object, "spec", "signerName"),
};
