import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkConfigDocument } from "@gatehouse/component-base/config-documents";
import { parseYamlDocuments } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { gatehousepoliciesV1alpha1 } from "@gatehouse/envelopes/types";
import { type PolicyCase, readPolicyCases } from "@gatehouse/policies/policy-cases";

const library = fileURLToPath(new URL("../../../policies/library/cel/", import.meta.url));
const casesKind = { group: "config.gatehouse.dev", version: "v1alpha1", kind: "PolicyCases" };

/** A policy of the library with everything that belongs to it. */
export interface LibraryPolicy {
  /** The file of the policy, from the folder of the library: `images/no-latest-tag.yaml`. */
  readonly file: string;
  readonly policy: JsonObject;
  readonly binding: JsonObject;
  /** The object that the binding names as parameter; undefined if it names none. */
  readonly params: JsonObject | undefined;
  readonly cases: readonly PolicyCase[];
}

/** Reads all policies of the library with their cases. Throws when a file of cases has a mistake. */
export async function readLibrary(): Promise<readonly LibraryPolicy[]> {
  const files = readdirSync(library, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml") && basename(dirname(file)) !== "cases")
    .sort();
  return Promise.all(files.map(readPolicy));
}

async function readPolicy(file: string): Promise<LibraryPolicy> {
  const [policy = {}, binding = {}, params] = await readDocuments(file);
  const caseFile = join(dirname(file), "cases", basename(file));
  const documents = (await readDocuments(caseFile)).map((content) => ({ subject: caseFile, folder: library, content }));
  const contents = await Promise.all(
    documents.map((document) => checkConfigDocument<gatehousepoliciesV1alpha1.PolicyCases>(document, [casesKind])),
  );
  const { cases, problems } = readPolicyCases(
    contents.map((content) => ({ file: caseFile, content })),
    { policies: new Set([nameOf(policy)]), definitions: new Set() },
  );
  if (problems.length > 0) {
    throw new Error(problems.map(({ file: where, path, text }) => `${where}: ${path}: ${text}`).join("\n"));
  }
  return { file, policy, binding, params, cases };
}

async function readDocuments(file: string): Promise<readonly JsonObject[]> {
  const documents = await parseYamlDocuments(readFileSync(join(library, file), "utf8"));
  return documents.map(({ value }) => value as JsonObject);
}

/** Returns the name of an object. */
export function nameOf({ metadata }: JsonObject): string {
  return String((metadata as JsonObject)["name"]);
}
