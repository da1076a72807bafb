import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { parseYamlDocuments } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { CelObject, type CelValue, compileExpression, dynType, newExpressions, type Program } from "../cel/index.js";
import type { CheckedPod } from "./check.js";

const library = new URL("../../library/cel/", import.meta.url);
const variableNames = ["object", "oldObject", "request", "params", "namespaceObject", "variables"];
const declarations = newExpressions.withVariables(new Map(variableNames.map((name) => [name, dynType])));

/** The cost that one expression may have on a server. */
const costLimit = 1_000_000;

/** A policy of the library about pods, without its match conditions. */
export interface PodPolicy {
  /** The name of its file. */
  readonly name: string;
  /** Returns the message of the violation by a pod that is created; undefined if there is none. */
  readonly violationBy: (pod: CheckedPod) => string | undefined;
}

interface PolicySpec {
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly { readonly expression: string; readonly messageExpression: string }[];
}

/** Reads the policies of a folder of the library, by their names. */
export async function readPodPolicies(folder: string): Promise<readonly PodPolicy[]> {
  const files = readdirSync(new URL(`${folder}/`, library)).filter((file) => file.endsWith(".yaml"));
  return Promise.all(
    files.map(async (file) => {
      const [policy] = await parseYamlDocuments(readFileSync(new URL(`${folder}/${file}`, library), "utf8"));
      assert.ok(policy);
      const { spec } = policy.value as unknown as { readonly spec: PolicySpec };
      return { name: file.replace(/\.yaml$/, ""), violationBy: compilePolicy(spec) };
    }),
  );
}

function compilePolicy({ variables, validations }: PolicySpec): PodPolicy["violationBy"] {
  const compile = (expression: string): Program => compileExpression(expression, declarations).evaluate;
  const programs = new Map(variables.map(({ name, expression }) => [name, compile(expression)]));
  const compiled = validations.map(({ expression, messageExpression }) => ({
    holds: compile(expression),
    message: compile(messageExpression),
  }));
  return ({ annotations, spec }) => {
    const object = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", annotations },
      spec,
    } as unknown as JsonObject;
    const given = { object, oldObject: null, request: { operation: "CREATE" }, params: null, namespaceObject: null };
    const all = { ...given, variables: new LazyVariables(programs, given) };
    const violated = compiled.find(({ holds }) => evaluated(holds, all) !== true);
    return violated && String(evaluated(violated.message, all));
  };
}

function evaluated(program: Program, variables: Readonly<Record<string, CelValue>>): CelValue {
  const { value, error } = program(variables, costLimit);
  if (error !== undefined) {
    throw new Error(error.message);
  }
  return value as CelValue;
}

/** The composed variables of a policy, each evaluated when it is first read. */
class LazyVariables extends CelObject {
  readonly typeName = "variables";
  readonly #programs: ReadonlyMap<string, Program>;
  readonly #given: Readonly<Record<string, CelValue>>;
  readonly #values = new Map<string, CelValue>();

  constructor(programs: ReadonlyMap<string, Program>, given: Readonly<Record<string, CelValue>>) {
    super();
    this.#programs = programs;
    this.#given = given;
  }

  field(name: string): CelValue | undefined {
    const program = this.#programs.get(name);
    if (program !== undefined && !this.#values.has(name)) {
      this.#values.set(name, evaluated(program, { ...this.#given, variables: this }));
    }
    return this.#values.get(name);
  }
}
