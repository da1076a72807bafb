import { setTimeout as sleep } from "node:timers/promises";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark, Measurement } from "../benchmark.js";
import { definitionsPath } from "../custom-definitions.js";
import { widgetDefinition, widgetRequest, widgetsPath } from "../custom-objects.js";
import { deploymentCreation } from "../deployments.js";
import { Writers } from "../load/writers.js";
import { policyExpressions } from "../policy-expressions.js";
import { untilServed } from "../processes/api-client.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

const api = "/apis/admissionregistration.k8s.io/v1beta1";

/** Flags that switch admission policies on. */
const withPolicies = [
  "--feature-gates=ValidatingAdmissionPolicy=true",
  "--runtime-config=admissionregistration.k8s.io/v1beta1=true",
];

type Json = Record<string, unknown>;

/** Measures the cost of a policy that looks at every object. */
const policyBenchmark: Benchmark = {
  name: "create-policy",
  what: "create 10 KB Deployments under a policy with 20 validations and 5 variables, HTTP/1.1, 32 connections, durable",
  limit: "the same without",
  unit: "objects/s",
  wanted: { atLeast: 0.9 },
  run: (environment) =>
    comparePolicies(environment, [
      policy("bench", {
        variables: ["metadata", "spec", "replicas", "containers", "images"].map((name) => ({
          name,
          expression: variableExpressions[name],
        })),
        validations: policyExpressions.map((expression) => ({
          expression: expression
            .replaceAll("object.spec.template.spec.containers", "variables.containers")
            .replaceAll("object.spec.replicas", "variables.replicas"),
        })),
      }),
    ]),
};

const variableExpressions: Readonly<Record<string, string>> = {
  metadata: "object.metadata",
  spec: "object.spec",
  replicas: "variables.spec.replicas",
  containers: "variables.spec.template.spec.containers",
  images: "variables.containers.map(c, c.image)",
};

/** Measures the cost of policies that a request does not meet. */
const excludedBenchmark: Benchmark = {
  name: "create-policies-excluded",
  what: "create 10 KB Deployments under 200 policies whose match conditions exclude them, HTTP/1.1, 32 connections, durable",
  limit: "the same without",
  unit: "objects/s",
  wanted: { atLeast: 0.9 },
  run: (environment) =>
    comparePolicies(
      environment,
      Array.from({ length: 200 }, (_, index) =>
        policy(`bench-${index}`, {
          matchConditions: [{ name: "team", expression: `object.metadata.namespace == 'team-${index}'` }],
          validations: [{ expression: "object.spec.replicas < 3" }],
        }),
      ),
    ),
};

/** Measures the cost of the rules of a definition. */
const rulesBenchmark: Benchmark = {
  name: "create-custom-rules",
  what: "create 10 KB objects of a custom kind with 200 fields and 30 rules, HTTP/1.1, 32 connections, durable",
  limit: "the same without rules",
  unit: "objects/s",
  wanted: { atLeast: 0.8 },
  async run(environment) {
    const start = async (definition: Json): Promise<Gatehouse> => {
      const gatehouse = await startGatehouse(environment);
      await gatehouse.request("POST", definitionsPath, JSON.stringify(definition));
      await untilServed(gatehouse, widgetsPath);
      return gatehouse;
    };
    await using ruled = await start(widgetDefinition(10));
    await using free = await start(widgetDefinition());
    await using load = startLoadGenerator();
    return await interleave(
      environment.rounds,
      new Writers(environment, ruled, load).creating(widgetRequest()),
      new Writers(environment, free, load).creating(widgetRequest()),
    );
  },
};

/** The benchmarks of expressions that guard writes. */
export const policyBenchmarks: readonly Benchmark[] = [policyBenchmark, excludedBenchmark, rulesBenchmark];

async function comparePolicies(environment: BenchEnvironment, policies: readonly Json[]): Promise<Measurement> {
  await using guarded = await startGatehouse(environment, undefined, withPolicies);
  await using free = await startGatehouse(environment, undefined, withPolicies);
  await using load = startLoadGenerator();
  for (const policy of policies) {
    await guarded.request("POST", `${api}/validatingadmissionpolicies`, JSON.stringify(policy));
    await guarded.request("POST", `${api}/validatingadmissionpolicybindings`, JSON.stringify(bindingOf(policy)));
  }
  // The server hears of them by watching.
  await sleep(2000);
  return await interleave(
    environment.rounds,
    new Writers(environment, guarded, load).creating(deploymentCreation()),
    new Writers(environment, free, load).creating(deploymentCreation()),
  );
}

function policy(name: string, spec: Json): Json {
  const matchConstraints = {
    resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] }],
  };
  return {
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: { failurePolicy: "Fail", matchConstraints, ...spec },
  };
}

function bindingOf({ metadata }: Json): Json {
  const { name } = metadata as { readonly name: string };
  return {
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"] },
  };
}
