import type { Operation, SortOfWrite } from "@gatehouse/apiserver/admission";

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
