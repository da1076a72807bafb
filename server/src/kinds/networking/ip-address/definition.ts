import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { ipAddressColumns } from "./columns.js";
import { ipAddressValidation, validateIpAddressName } from "./validation.js";

/** The definition of IPAddress, an address of a service (KEP-1880): alpha, so served only on request. */
export const ipAddressDefinition: KindDefinition = {
  resource: "ipaddresses",
  kind: "IPAddress",
  namespaced: false,
  shortNames: ["ip"],
  storageVersionHash: "3APLM23DOxw=",
  servedByDefault: false,
  table: ipAddressColumns,
  strategy: {
    validation: ipAddressValidation,
    metadata: { rechecks: "inValidation", validateName: validateIpAddressName },
    create: {
      // The prefix is an address, and random letters would make it none.
      generateName: (address) => address,
    },
  },
};
