import { repeated, type StallRequest, stallNamespace } from "./stall-request.js";

const path = `/api/v1/namespaces/${stallNamespace}/pods`;
const variables = (count: number, value: string): string => list(count, `{"name":"e#","value":"${value}"}`);
const limits = list(15_000, '"example.com/r#":"1"');

/** Strategic merge patches against a Pod with very long lists, or with very many members in an item of a list. */
export const strategicMergeRequests: readonly StallRequest[] = [
  merge("20,000 variables by as many", containers(`"env":[${variables(20_000, "w")}]`)),
  merge(
    "20,000 variables in an order of 40,000 names",
    containers(`"$setElementOrder/env":[${list(40_000, '{"name":"e#"}')}]`),
  ),
  merge("20,000 variables away", containers(`"env":[${list(20_000, '{"name":"e#","$patch":"delete"}')}]`)),
  merge("one container 12,000 times, with its 20,000 variables", () => {
    return `{"spec":{"containers":[${list(12_000, '{"name":"c","env":[{"name":"e#","value":"w"}]}')}]}}`;
  }),
  merge("one container 15,000 times, with its 15,000 limits", () => {
    const change = '{"name":"c","resources":{"limits":{"example.com/r#":"2"}}}';
    return `{"spec":{"containers":[${list(15_000, change)}]}}`;
  }),
  merge("10,000 finalizers away, by 90,000 names", () => {
    return `{"metadata":{"$deleteFromPrimitiveList/finalizers":[${list(90_000, '"example.com/#"')}]}}`;
  }),
];

function containers(container: string): () => string {
  return () => `{"spec":{"containers":[{"name":"c",${container}}]}}`;
}

function list(count: number, item: string): string {
  return repeated(count, `${item},`).slice(0, -1);
}

function merge(what: string, makePatch: () => string): StallRequest {
  return {
    name: `strategic merge: ${what}`,
    prepare() {
      const container = `{"name":"c","image":"i","env":[${variables(20_000, "v")}],"resources":{"limits":{${limits}}}}`;
      const finalizers = list(10_000, '"example.com/#"');
      const body = Buffer.from(
        `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"merged","finalizers":[${finalizers}]},"spec":{"containers":[${container}]}}`,
      );
      const patch = Buffer.from(makePatch());
      return async (target) => {
        const created = await target.send({
          method: "POST",
          path,
          headers: { "content-type": "application/json" },
          body,
        });
        if (created !== "201" && created !== "409") {
          return `not created: ${created}`;
        }
        const headers = { "content-type": "application/strategic-merge-patch+json" };
        return target.send({ method: "PATCH", path: `${path}/merged?dryRun=All`, headers, body: patch });
      };
    },
  };
}
