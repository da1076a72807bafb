/** The keys in the store of the RangeAllocations of services, which are those of kube-apiserver. */
export interface RangeKeys {
  readonly addresses: string;
  readonly secondaryAddresses: string;
  readonly nodePorts: string;
}

/** Returns the keys below a prefix, which ends with a slash. */
export function rangeKeys(keyPrefix: string): RangeKeys {
  return {
    addresses: `${keyPrefix}ranges/serviceips`,
    secondaryAddresses: `${keyPrefix}ranges/secondaryserviceips`,
    nodePorts: `${keyPrefix}ranges/servicenodeports`,
  };
}
