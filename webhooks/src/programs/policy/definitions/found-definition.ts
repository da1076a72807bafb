import type { SourceDocument } from "@gatehouse/component-base/manifests";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { type CustomKind, customKindsOf } from "../../../toolkit/testing/custom-kind.js";
import { ExpressionTraces } from "../policies/expression-traces.js";

/** A CustomResourceDefinition of a folder. */
export interface FoundDefinition {
  readonly name: string;
  readonly file: string;
  readonly object: JsonObject;
  /** The kinds of the versions that it serves, by whose rules objects are validated. */
  readonly kinds: readonly CustomKind[];
  /** The expressions of its rules. */
  readonly traced: ExpressionTraces;
}

/** Reads a definition, and adds the problems for which a server would refuse its rules. Throws BadObjectError. */
export function foundDefinition({ file, line, content }: SourceDocument, problems: Problem[]): FoundDefinition {
  const traced = new ExpressionTraces();
  const kinds = customKindsOf(content, (path) => traced.observe(path));
  problems.push(...kinds.flatMap((kind) => kind.problems.map((text) => problemAt(`${file}:${line}`, text))));
  return { name: textAt(content, "metadata", "name"), file, object: content, kinds, traced };
}
