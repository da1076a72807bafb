import { setTimeout as pause } from "node:timers/promises";
import { sampleDefinition } from "../support/sample-definition.js";
import { type CaseRequest, group } from "./policy-case.js";
import { type CaseServer, sendOrWait } from "./run-cases.js";

/** A policy about kinds, and what the type checker says of it. */
export interface TypeQuestion {
  readonly rule: keyof typeof rules;
  readonly expression: string;
  readonly messageExpression?: string;
  /** True if the policy has ConfigMaps as parameters. */
  readonly hasParams?: boolean;
}

const of = (apiGroups: readonly string[], ...resources: readonly string[]) => ({
  operations: ["DELETE"],
  apiGroups,
  apiVersions: ["v1"],
  resources,
});

const rules = {
  deployments: of(["apps"], "deployments"),
  configMaps: of([""], "configmaps"),
  eventsOfAnyGroup: of([""], "events", "pods/exec"),
  anyGroup: of(["*"], "pods"),
  workloads: of(["batch", "apps"], "statefulsets", "jobs", "deployments"),
  moreThanTen: of(
    ["apps", "batch", ""],
    ...["pods", "services", "secrets", "configmaps", "nodes", "namespaces"],
    ...["endpoints", "events", "serviceaccounts", "limitranges", "resourcequotas"],
  ),
  definitions: of(["apiextensions.k8s.io"], "customresourcedefinitions"),
  widgets: of(["types.example.com"], "widgets"),
  nothing: of(["x.example.com"], "nothing"),
};

const definition = sampleDefinition("widgets", "Widget", "types.example.com", {
  versions: [
    {
      name: "v1",
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: {
            spec: {
              type: "object",
              required: ["a"],
              properties: {
                a: { type: "integer" },
                "b-c": { type: "string" },
                l: { type: "array", items: { type: "string" } },
                any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                number: { "x-kubernetes-int-or-string": true },
                inner: {
                  type: "object",
                  "x-kubernetes-embedded-resource": true,
                  "x-kubernetes-preserve-unknown-fields": true,
                },
                time: { type: "string", format: "date-time" },
                n: { type: "number" },
                bytes: { type: "string", format: "byte" },
                duration: { type: "string", format: "duration" },
                map: {
                  type: "object",
                  additionalProperties: { type: "object", properties: { x: { type: "boolean" } } },
                },
              },
            },
          },
        },
      },
    },
  ],
});

const about = (rule: TypeQuestion["rule"], ...expressions: readonly string[]): readonly TypeQuestion[] =>
  expressions.map((expression) => ({ rule, expression }));

export const typeQuestions: readonly TypeQuestion[] = [
  { rule: "deployments", expression: "object.foo == 1", messageExpression: "string(object.bar)" },
  ...about(
    "deployments",
    "object.spec.replicas > 'x'",
    "object.spec.replicas > 1",
    "object.spec.template.spec.containers.all(c, c.resources.limits.x == 'a')",
    "object.spec.template.spec.containers.all(c, c.ports.exists(p, p.containerPort == 'a' || p.hostPort == 1))",
    "object.spec.strategy.rollingUpdate.maxSurge == 1 && object.spec.strategy.rollingUpdate.maxSurge == 'a'",
    "object.metadata.creationTimestamp > 5",
    "object.metadata.managedFields[0].fieldsV1.x == 1",
    "authorizer.requestResource.check('x').allowed()",
    "object == oldObject && object.metadata == 1",
    "object.metadata.labels.x == 1",
    "object == 1",
    "object.metadata.namespace == 'x'",
    "object.metadata.__namespace__ == 1",
    "object.spec.template.spec.volumes.all(v, v.configMap.items == 'a')",
    "object.status.conditions.all(c, c.lastUpdateTime == 1)",
    "has(object.spec.paused) && object.spec.paused == 'yes' && oldObject.nothing",
    "request.userInfo.username == 'x' && namespaceObject.metadata.name == 'y'",
  ),
  { rule: "deployments", expression: "params.x == 1 || params.data.x == 1 || params == object", hasParams: true },
  ...about("configMaps", "object.data.x == 1 && object.binaryData.y == 'x'", "object.immutable == 1"),
  ...about("eventsOfAnyGroup", "object.nothing == 1"),
  ...about("anyGroup", "object.nothing == 1"),
  ...about("workloads", "object.spec.selector.matchLabels == 1"),
  ...about("moreThanTen", "object.metadata == 1"),
  ...about(
    "definitions",
    "object.spec.versions[0].schema.openAPIV3Schema.properties.x.foo == 1",
    "object.spec.versions[0].schema.openAPIV3Schema.default == 1",
    "object.spec.versions[0].schema.openAPIV3Schema.items == 1",
    "object.spec.versions[0].schema.openAPIV3Schema.enum == 1",
  ),
  ...about(
    "widgets",
    "object.spec.a == 'x' && object.spec.b__dash__c == 1 && object.spec.l == 1",
    "object.spec.any == 1",
    "object.spec.any.x == 1",
    "object.spec.number == 1.5",
    "object.spec.inner.metadata.name == 1",
    "object.spec.inner.spec == 1",
    "object.spec.time == 1 && object.spec.n == 1 && object.spec.bytes == 1 && object.spec.duration == 1",
    "object.spec.map.x.x == 1 && object.spec.map.x.y",
    "object.spec['b-c'] == 1",
    "object.metadata.labels.x == 1",
    "object.kind == 1 && object.metadata.creationTimestamp == 1",
    "object == 1",
    "object.spec == 1",
    "object.status == 1",
  ),
  ...about("nothing", "object.x == 1"),
];

/** Asks a server what its type checker says. Returns a status for each question, without numbers in names of types. */
export async function askTypeChecker(server: CaseServer): Promise<readonly unknown[]> {
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await send(server, { method: "POST", path: definitions, body: definition });
  await send(server, { method: "WAIT", path: "/apis/types.example.com/v1/widgets" });
  // v1.29 looks for new kinds every half a minute.
  await pause(server.settleMs * 12);
  const statuses: unknown[] = [];
  for (const [index, question] of typeQuestions.entries()) {
    statuses.push(await askAbout(server, question, `types${index}`));
  }
  await send(server, { method: "DELETE", path: `${definitions}/widgets.types.example.com` });
  return statuses;
}

async function askAbout(server: CaseServer, question: TypeQuestion, name: string): Promise<unknown> {
  const { rule, expression, messageExpression, hasParams = false } = question;
  const path = `${group}/validatingadmissionpolicies`;
  const body = {
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: {
      ...(hasParams ? { paramKind: { apiVersion: "v1", kind: "ConfigMap" } } : {}),
      matchConstraints: { resourceRules: [rules[rule]] },
      validations: [{ expression, ...(messageExpression === undefined ? {} : { messageExpression }) }],
    },
  };
  await send(server, { method: "POST", path, body });
  for (;;) {
    const { status } = (await send(server, { method: "GET", path: `${path}/${name}` })) as { readonly status?: object };
    if (status !== undefined && "observedGeneration" in status) {
      await send(server, { method: "DELETE", path: `${path}/${name}` });
      return JSON.parse(
        JSON.stringify(status).replaceAll(/(?<=[( ](?:Deployment|ConfigMap|Widget|[A-Z][A-Za-z]+))\d+(?=[.,)])/g, "N"),
      );
    }
    await pause(20);
  }
}

async function send(server: CaseServer, request: CaseRequest): Promise<unknown> {
  const { status, body } = await sendOrWait(server, request, "");
  if (status >= 300) {
    throw new Error(`${request.method} ${request.path}: ${status} ${body.toString()}`);
  }
  return JSON.parse(body.toString());
}
