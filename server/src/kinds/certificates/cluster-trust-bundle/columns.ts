import { column, nameColumn, type TableDefinition } from "@gatehouse/apiserver/tables";
import { textAt } from "@gatehouse/envelopes/json";

/** Table columns of ClusterTrustBundle: its signer; no age, as in v1.29. */
export const clusterTrustBundleColumns: TableDefinition = {
  columns: [nameColumn, column("SignerName", "string", "Signer whose certificates the bundle verifies.")],
  cells(object) {
    return [textAt(object, "metadata", "name"), textAt(object, "spec", "signerName") || "<none>"];
  },
};
