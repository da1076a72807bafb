import type { SortOfWrite } from "../../admission-plugin.js";
import type { Operation } from "../../attributes.js";

/**
 * Reports whether a write is one of a certificate signing request with the operation and subresource. Meant for
 * `concerns`.
 */
export function isRequestWrite(write: SortOfWrite, operation: Operation, subresource: string): boolean {
  const { group, resource } = write.resource;
  return (
    group === "certificates.k8s.io" &&
    resource === "certificatesigningrequests" &&
    write.operation === operation &&
    write.subresource === subresource
  );
}
