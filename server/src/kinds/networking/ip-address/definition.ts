import type { ResourceRow } from "../../define-resource.js";
import { ipAddressTable } from "./columns.js";
import { ipAddressStrategy } from "./strategy.js";

export const ipAddressRow: ResourceRow = {
  resource: "ipaddresses",
  kind: "IPAddress",
  namespaced: false,
  shortNames: ["ip"],
  storageVersionHash: "3APLM23DOxw=",
  servedByDefault: false,
  nameRule: "pathSegment",
  table: ipAddressTable,
  ...ipAddressStrategy,
};
