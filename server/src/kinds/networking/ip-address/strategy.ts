import { fieldError } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { metaOf } from "../../../objects/object-meta.js";
import { parseIpAddress } from "../../ip-text.js";

/** The name is the address, so that nobody else can have it. */
export const ipAddressStrategy: ResourceStrategy = {
  validate(ipAddress) {
    const { name = "" } = metaOf(ipAddress);
    const address = parseIpAddress(name);
    if ("problem" in address) {
      return [fieldError.invalid("metadata.name", name, address.problem)];
    }
    return address.text === name
      ? []
      : [fieldError.invalid("metadata.name", name, "must be a canonical format IP address")];
  },
};
