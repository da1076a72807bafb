/** Reports whether an address stands for all addresses of a machine. */
export function isUnspecified(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

/**
 * Returns the host for Node's `listen`: an unspecified address (`0.0.0.0`, `::`) means all addresses of both families, as for
 * kube-apiserver, and so no host: Node then listens on `::`, and on `0.0.0.0` where there is no IPv6.
 */
export function listenHost(bindAddress: string): string | undefined {
  return isUnspecified(bindAddress) ? undefined : bindAddress;
}
