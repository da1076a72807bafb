import { repeated, type StallRequest, stallNamespace } from "./stall-request.js";

const namespaced: ReadonlySet<string> = new Set(["PodSchedulingContext"]);
const plurals: Readonly<Record<string, string>> = {
  RuntimeClass: "runtimeclasses",
  ValidatingAdmissionPolicy: "validatingadmissionpolicies",
};

/** Kinds whose rules have much to look at in objects with as many values as a body may hold. */
export const kindRequests: readonly StallRequest[] = [
  create("a PodSchedulingContext of 90,000 nodes", "resource.k8s.io/v1alpha2", "PodSchedulingContext", () => {
    return `"spec":{"potentialNodes":[${list(90_000, '"node-#"')}]}`;
  }),
  create("a FlowSchema of 6,000 rules", "flowcontrol.apiserver.k8s.io/v1", "FlowSchema", () => {
    const subject = '{"kind":"User","user":{"name":"u#"}}';
    const resources = '{"verbs":["get"],"apiGroups":[""],"resources":["p#"],"namespaces":["*"]}';
    const rules = list(6_000, `{"subjects":[${subject}],"resourceRules":[${resources}]}`);
    return `"spec":{"matchingPrecedence":1000,"priorityLevelConfiguration":{"name":"x"},"rules":[${rules}]}`;
  }),
  create("a RuntimeClass of 33,000 tolerations", "node.k8s.io/v1", "RuntimeClass", () => {
    return `"handler":"h","scheduling":{"tolerations":[${list(33_000, '{"key":"k#","operator":"Exists"}')}]}`;
  }),
  create("a ClusterRole of 11,000 rules", "rbac.authorization.k8s.io/v1", "ClusterRole", () => {
    return `"rules":[${list(11_000, '{"verbs":["get"],"apiGroups":[""],"resources":["p#"]}')}]`;
  }),
  create("a policy of 20,000 validations", "admissionregistration.k8s.io/v1beta1", "ValidatingAdmissionPolicy", () => {
    const rules = list(5_000, '{"apiGroups":["g#"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["p#"]}');
    const validations = list(20_000, '{"expression":"1 == #"}');
    return `"spec":{"matchConstraints":{"resourceRules":[${rules}]},"validations":[${validations}]}`;
  }),
  {
    name: "apply: a ConfigMap of 9,900 fields",
    prepare() {
      const data = list(9_900, '"k#":"v"');
      const body = Buffer.from(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"applied"},"data":{${data}}}`);
      const path = `/api/v1/namespaces/${stallNamespace}/configmaps/applied?fieldManager=stall&force=true`;
      const headers = { "content-type": "application/apply-patch+yaml" };
      return (target) => target.send({ method: "PATCH", path, headers, body });
    },
  },
];

function create(name: string, apiVersion: string, kind: string, makeRest: () => string): StallRequest {
  const plural = plurals[kind] ?? `${kind.toLowerCase()}s`;
  const place = namespaced.has(kind) ? `namespaces/${stallNamespace}/` : "";
  return {
    name: `create: ${name}`,
    prepare() {
      const body = Buffer.from(
        `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"stall"},${makeRest()}}`,
      );
      const headers = { "content-type": "application/json" };
      const path = `/apis/${apiVersion}/${place}${plural}?dryRun=All`;
      return (target) => target.send({ method: "POST", path, headers, body });
    },
  };
}

function list(count: number, item: string): string {
  return repeated(count, `${item},`).slice(0, -1);
}
