/**
 * Returns the addresses of the endpoints when a number of servers is expected (`--apiserver-count`), sorted: those that are
 * there and `own`, and of more than `count` without those that follow `own`, from the start again after the last. Servers
 * that all do so come to the same addresses.
 */
export function countedAddresses(present: readonly string[], own: string, count: number): readonly string[] {
  const addresses = [...new Set([...present, own])].sort();
  while (addresses.length > count) {
    addresses.splice((addresses.indexOf(own) + 1) % addresses.length, 1);
  }
  return addresses;
}
