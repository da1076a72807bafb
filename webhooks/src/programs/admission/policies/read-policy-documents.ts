import { ConfigurationError } from "@gatehouse/component-base/errors";
import { readObjectsOf, type SourceDocument } from "@gatehouse/component-base/manifests";
import { problemAt } from "@gatehouse/component-base/problems";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { definitionProblems, isDefinition } from "../../../toolkit/testing/custom-kind.js";
import { isPolicy, PolicySet, policyProblems } from "../../../toolkit/testing/policy-set.js";
import { BadObjectError } from "../../../toolkit/testing/prepare-object.js";

/** Reports whether a document decides about objects: a ValidatingAdmissionPolicy or a CustomResourceDefinition. */
export function isPolicyOrDefinition(document: JsonObject): boolean {
  return isPolicy(document) || isDefinition(document);
}

/**
 * Reads the documents of files and folders that `--policies` names. Throws ConfigurationError for documents that cannot be
 * read, for policies and rules that no server would take, and when there is neither a policy nor a definition.
 */
export async function readPolicyDocuments(paths: readonly string[]): Promise<readonly SourceDocument[]> {
  const documents: SourceDocument[] = [];
  for (const path of paths) {
    const found = await readObjectsOf([path]);
    documents.push(...found);
    if (!found.some(({ content }) => isPolicyOrDefinition(content))) {
      const text = "there is no ValidatingAdmissionPolicy and no CustomResourceDefinition";
      throw new ConfigurationError(path, [problemAt("--policies", text)]);
    }
  }
  for (const document of documents) {
    refuseFaulty(document);
  }
  return documents;
}

function refuseFaulty({ file, line, content }: SourceDocument): void {
  const problems = problemsOf(content);
  if (problems.length > 0) {
    const path = `line ${line}: ${textAt(content, "kind")} ${textAt(content, "metadata", "name")}`;
    throw new ConfigurationError(
      file,
      problems.map((problem) => problemAt(path, problem)),
    );
  }
}

function problemsOf(content: SourceDocument["content"]): readonly string[] {
  try {
    return isDefinition(content)
      ? definitionProblems(content)
      : new PolicySet([content]).documents.flatMap(policyProblems);
  } catch (error) {
    if (error instanceof BadObjectError) {
      return [error.message];
    }
    throw error;
  }
}
