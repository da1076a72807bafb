/**
 * Returns the host for Node's `listen`: an unspecified address (`0.0.0.0`, `::`) means all addresses of both families, as for
 * kube-apiserver, and so no host: Node then listens on `::`, and on `0.0.0.0` where there is no IPv6.
 */
export function listenHost(bindAddress: string): string | undefined {
  return bindAddress === "0.0.0.0" || bindAddress === "::" ? undefined : bindAddress;
}
