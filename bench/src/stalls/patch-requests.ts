import { repeated, type StallRequest, stallNamespace } from "./stall-request.js";

/** The object that is patched; it exists, with as good as nothing in it. */
export const patchedName = "patched";

/** v1.29 takes 10,000 operations in a patch; one of them makes the list. */
const operations = 9999;

/** JSON Patches that work at the head of a very long list. */
export const patchRequests: readonly StallRequest[] = [
  patch("inserts at index 0 of a list of 1,000,000", '{"op":"add","path":"/x/0","value":0},'),
  patch("removals at index 0 of a list of 1,000,000", '{"op":"remove","path":"/x/0"},'),
];

function patch(name: string, operation: string): StallRequest {
  return {
    name: `JSON Patch: ${operations.toLocaleString("en")} ${name}`,
    prepare() {
      const list = `{"op":"add","path":"/x","value":[${"0,".repeat(1_000_000).slice(0, -1)}]},`;
      const body = Buffer.from(`[${list}${repeated(operations, operation).slice(0, -1)}]`);
      const path = `/api/v1/namespaces/${stallNamespace}/configmaps/${patchedName}?dryRun=All`;
      const headers = { "content-type": "application/json-patch+json" };
      return (target) => target.send({ method: "PATCH", path, headers, body });
    },
  };
}
