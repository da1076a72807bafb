import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkConfigDocument } from "@gatehouse/component-base/config-documents";
import { parseYamlDocuments } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { gatehousepoliciesV1alpha1 } from "@gatehouse/envelopes/types";
import { type PolicyCase, type PolicyCaseFile, readPolicyCases } from "@gatehouse/policies/policy-cases";

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
  const [policy = {}, binding = {}, params] = await parse(await readText(file));
  const caseFile = join(dirname(file), "cases", basename(file));
  const { cases, problems } = readPolicyCases([await readCaseFile(caseFile, await readText(caseFile))], {
    policies: new Set([nameOf(policy)]),
    definitions: new Set(),
  });
  if (problems.length > 0) {
    throw new Error(problems.map(({ file: where, path, text }) => `${where}: ${path}: ${text}`).join("\n"));
  }
  return { file, policy, binding, params, cases };
}

/** Reads a document of kind PolicyCases. Rejects with ConfigurationError when its shape is not that of the kind. */
export async function readCaseFile(file: string, text: string): Promise<PolicyCaseFile> {
  const [content = {}] = await parse(text);
  const document = { subject: file, folder: library, content };
  return { file, content: await checkConfigDocument<gatehousepoliciesV1alpha1.PolicyCases>(document, [casesKind]) };
}

function readText(file: string): Promise<string> {
  return readFile(join(library, file), "utf8");
}

async function parse(text: string): Promise<readonly JsonObject[]> {
  return (await parseYamlDocuments(text)).map(({ value }) => value as JsonObject);
}

/** Returns the name of an object. */
export function nameOf({ metadata }: JsonObject): string {
  return String((metadata as JsonObject)["name"]);
}
