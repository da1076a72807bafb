import { repeated, type StallRequest, stallNamespace } from "./stall-request.js";

/** The object that is patched; it exists, with as good as nothing in it. */
export const patchedName = "patched";

/** v1.29 takes 10,000 operations in a patch; one of them makes the list. */
const operations = 9999;

/** JSON Patches that work at the head of a very long list, and patches whose copies double what they copy. */
export const patchRequests: readonly StallRequest[] = [
  patch("inserts at index 0 of a list of 1,000,000", '{"op":"add","path":"/x/0","value":0},'),
  patch("removals at index 0 of a list of 1,000,000", '{"op":"remove","path":"/x/0"},'),
  doublings("objects", "{}"),
  doublings("texts", '""'),
  doublings("numbers", "0"),
];

/** Each copy puts all that is in a list into the same list: after 20 of them it holds a million values. */
function doublings(what: string, item: string): StallRequest {
  return {
    name: `JSON Patch: copies that double a list of ${what}`,
    prepare() {
      const copies = Array.from({ length: 22 }, (_, index) => {
        const [from, path] = [`/data/l${index}`, `/data/l${index + 1}`];
        return `{"op":"add","path":"${path}","value":[]},{"op":"copy","from":"${from}","path":"${path}/0"},{"op":"copy","from":"${from}","path":"${path}/1"}`;
      });
      const body = Buffer.from(`[{"op":"add","path":"/data","value":{"l0":[${item}]}},${copies.join(",")}]`);
      return (target) => target.send({ method: "PATCH", path: patchPath, headers: patchHeaders, body });
    },
  };
}

const patchPath = `/api/v1/namespaces/${stallNamespace}/configmaps/${patchedName}?dryRun=All`;
const patchHeaders = { "content-type": "application/json-patch+json" };

function patch(name: string, operation: string): StallRequest {
  return {
    name: `JSON Patch: ${operations.toLocaleString("en")} ${name}`,
    prepare() {
      const list = `{"op":"add","path":"/x","value":[${"0,".repeat(1_000_000).slice(0, -1)}]},`;
      const body = Buffer.from(`[${list}${repeated(operations, operation).slice(0, -1)}]`);
      return (target) => target.send({ method: "PATCH", path: patchPath, headers: patchHeaders, body });
    },
  };
}
