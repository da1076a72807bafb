import type { ResourceTable } from "../resources/resource-table.js";
export function namespaceLifecycle(_t: ResourceTable): { name: string } {
  return { name: "x" };
}
