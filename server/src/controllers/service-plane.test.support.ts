import assert from "node:assert/strict";
import { addressRange, type Cidr, type NumberRange, parseCidr, portRange } from "@gatehouse/apiserver/options";
import { keyPrefix, openTestControlPlane, type TestControlPlane } from "../control-plane.test.support.js";
import { rangeKeys } from "../kinds/core/service/allocation/range-keys.js";
import { serviceAllocation } from "../kinds/core/service/allocation/service-allocation.js";
import { putRange } from "../kinds/core/service/allocation/test-store.test.support.js";

const addresses = addressRange(parseCidr("10.96.0.0/24") as Cidr);
const nodePorts = portRange("30000-32767") as NumberRange;

/** Opens a control plane that allocates the addresses of Services, in 10.96.0.0/24. */
export async function openServicePlane(): Promise<TestControlPlane> {
  const plane = await openTestControlPlane({
    transactions: (store) => {
      const reportFault = assert.ifError;
      return new Map([
        ["services", serviceAllocation({ store, keyPrefix, addresses: [addresses], nodePorts, reportFault })],
      ]);
    },
  });
  const keys = rangeKeys(keyPrefix);
  await putRange(plane.store, keys.addresses, addresses);
  await putRange(plane.store, keys.nodePorts, nodePorts);
  return plane;
}
