import type { Operation, SortOfWrite } from "@gatehouse/apiserver/admission";

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
