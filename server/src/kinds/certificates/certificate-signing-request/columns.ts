import {
  ageColumn,
  column,
  humanDuration,
  nameColumn,
  objectAge,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { conditionOfType, integerAt, isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of CertificateSigningRequest: signer, requestor, and the state, as `Approved,Issued`. */
export const certificateSigningRequestColumns: TableDefinition = {
  columns: [
    nameColumn,
    ageColumn,
    column("SignerName", "string", "Who is asked to sign."),
    column("Requestor", "string", "User who made the request."),
    column("RequestedDuration", "string", "Life time asked for."),
    column("Condition", "string", "How far the request has got."),
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      objectAge(object, context),
      textAt(object, "spec", "signerName") || "<none>",
      textAt(object, "spec", "username"),
      isSet(object, "spec", "expirationSeconds")
        ? humanDuration(Number(integerAt(object, "spec", "expirationSeconds")) * 1000)
        : "<none>",
      requestCondition(object),
    ];
  },
};

function requestCondition(object: JsonObject): string {
  const conditions = listAt(object, "status", "conditions");
  const has = (type: string) => conditionOfType(conditions, type) !== undefined;
  const verdict = has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending";
  const issued = textAt(object, "status", "certificate") !== "";
  return `${verdict}${has("Failed") ? ",Failed" : ""}${issued ? ",Issued" : ""}`;
}
