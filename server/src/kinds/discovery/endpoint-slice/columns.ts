import {
  ageColumn,
  column,
  firstN,
  nameColumn,
  objectAge,
  scalarText,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { isSet, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";

/** Table columns of EndpointSlice: up to three ports and addresses, and the number of the rest. */
export const endpointSliceColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("AddressType", "string", "Kind of the addresses in the slice."),
    column("Ports", "string", "Ports on which the endpoints are reached."),
    column("Endpoints", "string", "Addresses of the endpoints."),
    ageColumn,
  ],
  cells(object, context) {
    const ports = listAt(object, "ports").map((port) =>
      isSet(port, "port") ? scalarText(valueAt(port, "port"), "") : scalarText(valueAt(port, "name"), "*"),
    );
    const addresses = listAt(object, "endpoints").flatMap((endpoint) => listAt(endpoint, "addresses").map(String));
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "addressType"),
      firstN(3, ports) || "<unset>",
      firstN(3, addresses) || "<unset>",
      objectAge(object, context),
    ];
  },
};
