import type { SortOfWrite } from "../../admission-plugin.js";
import type { Operation } from "../../attributes.js";

/** For `concerns`: writes of certificate signing requests. */
export function isRequestWrite(write: SortOfWrite, operation: Operation, subresource: string): boolean {
  const { group, resource } = write.resource;
  return (
    group === "certificates.k8s.io" &&
    resource === "certificatesigningrequests" &&
    write.operation === operation &&
    write.subresource === subresource
  );
}
