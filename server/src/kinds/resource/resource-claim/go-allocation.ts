import { goPointer, goSlice, goStruct } from "@gatehouse/apiserver/go";
import { booleanAt, type JsonValue, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { goQuote } from "@gatehouse/envelopes/status";

/** Returns the allocation of a claim as Go prints it. */
export function goAllocation(allocation: JsonValue | undefined): string {
  return goStruct("resource.AllocationResult", {
    ResourceHandles: goSlice("resource.ResourceHandle", valueAt(allocation, "resourceHandles"), () =>
      listAt(allocation, "resourceHandles").map((handle) =>
        goStruct("resource.ResourceHandle", {
          DriverName: goQuote(textAt(handle, "driverName")),
          Data: goQuote(textAt(handle, "data")),
        }),
      ),
    ),
    AvailableOnNodes: goPointer("core.NodeSelector", valueAt(allocation, "availableOnNodes")),
    Shareable: String(booleanAt(allocation, "shareable")),
  });
}
