import { repeated, type StallRequest } from "./stall-request.js";
import type { StallTarget } from "./stall-target.js";

const path = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const collectors = 7;
const collected = 9;
const rulesOfEach = 1000;

/** Cluster roles that collect the rules of all others, and so of each other: a change of one leads to writes of all of them. */
export const roleRequests: readonly StallRequest[] = [
  {
    name: `roles: ${collectors} that collect ${(collected * rulesOfEach).toLocaleString("en")} rules, and another one`,
    prepare() {
      const rules = (role: number): string =>
        repeated(rulesOfEach, `{"apiGroups":["g${role}"],"resources":["r#"],"verbs":["get"]},`).slice(0, -1);
      const roles = Array.from({ length: collected }, (_, index) => role({ name: `collected-${index}` }, rules(index)));
      const all = Array.from({ length: collectors }, (_, index) =>
        role({ name: `collector-${index}` }, "", ',"aggregationRule":{"clusterRoleSelectors":[{}]}'),
      );
      // The request may be sent again, when the others are there.
      const last = role({ generateName: "collected-" }, rules(collected));
      return async (target) => {
        for (const body of [...roles, ...all]) {
          await create(target, body);
        }
        return await create(target, last);
      };
    },
  },
];

function role(metadata: object, rules: string, more = ""): Buffer {
  const head = `"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":${JSON.stringify(metadata)}`;
  return Buffer.from(`{${head},"rules":[${rules}]${more}}`);
}

function create(target: StallTarget, body: Buffer): Promise<string> {
  return target.send({ method: "POST", path, headers: { "content-type": "application/json" }, body });
}
