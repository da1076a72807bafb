import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { ipAddressTable } from "./columns.js";
import { checkIpAddressName, ipAddressRules } from "./rules.js";

/** The definition of IPAddress, an address of a service (KEP-1880): alpha, so served only on request. */
export const ipAddressRow: ResourceRow = {
  resource: "ipaddresses",
  kind: "IPAddress",
  namespaced: false,
  metadataRechecks: "inRules",
  shortNames: ["ip"],
  storageVersionHash: "3APLM23DOxw=",
  servedByDefault: false,
  nameRule: checkIpAddressName,
  nameFromPrefix: (address) => address,
  table: ipAddressTable,
  rules: ipAddressRules,
};
