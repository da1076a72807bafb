import { ConfigurationError, problemAt } from "@gatehouse/component-base";
import { isJsonObject } from "@gatehouse/envelopes";
import { admit } from "../harness/admit.js";
import { BadObjectError } from "../harness/prepare-object.js";
import {
  DocumentError,
  itemsOf,
  listDocumentFiles,
  readDocuments,
  type SourceDocument,
} from "../harness/read-documents.js";
import type { Hook } from "../hooks/hook.js";

/** What hooks say of one manifest. */
export interface Finding {
  readonly file: string;
  /** Line at which the manifest begins, from 1. */
  readonly line: number;
  /** `Deployment shop/web`. */
  readonly object: string;
  /** The hook, or `manifest` when no server would take the object. */
  readonly rule: string;
  /** `error` would be refused; `warning` would be let through with this message. */
  readonly level: "error" | "warning";
  readonly message: string;
}

/** The manifests that were looked at, and what was found. */
export interface CheckReport {
  readonly checked: readonly { readonly file: string; readonly line: number; readonly object: string }[];
  readonly findings: readonly Finding[];
}

/**
 * Puts every manifest of a file or folder to the hooks as if it were created. Documents without apiVersion and kind are left
 * out. Throws ConfigurationError where there is no manifest at all.
 */
export async function checkManifests(hooks: readonly Hook[], path: string): Promise<CheckReport> {
  const checked: { file: string; line: number; object: string }[] = [];
  const findings: Finding[] = [];
  for (const file of await listDocumentFiles(path)) {
    const sources = await readDocuments(file).catch(documentErrorOf);
    if (sources instanceof DocumentError) {
      const { line, text: message } = sources;
      const place = { file, line, object: "document" };
      checked.push(place);
      findings.push({ ...place, rule: "manifest", level: "error", message });
      continue;
    }
    for (const source of sources.flatMap(itemsOf)) {
      const { content, line } = source;
      if (typeof content["apiVersion"] !== "string" || typeof content["kind"] !== "string") {
        continue;
      }
      const object = describe(source);
      checked.push({ file, line, object });
      const found = await judge(hooks, source);
      findings.push(...found.map((finding) => ({ file, line, object, ...finding })));
    }
  }
  if (checked.length === 0) {
    // A check that looks at nothing passes for years.
    const text = "there is no manifest: no YAML or JSON document with apiVersion and kind";
    throw new ConfigurationError(path, [problemAt("path", text)]);
  }
  return { checked, findings };
}

/** A document that nobody can read is a finding like others. */
function documentErrorOf(error: unknown): DocumentError {
  if (error instanceof DocumentError) {
    return error;
  }
  throw error;
}

async function judge(
  hooks: readonly Hook[],
  { content }: SourceDocument,
): Promise<Pick<Finding, "rule" | "level" | "message">[]> {
  try {
    const { outcome, decidedBy = "", message = "", warnings } = await admit(hooks, { object: content });
    const notes = warnings.map((warning) => ({ rule: "warning", level: "warning" as const, message: warning }));
    return outcome === "allowed" ? notes : [{ rule: decidedBy, level: "error", message }, ...notes];
  } catch (error) {
    if (error instanceof BadObjectError) {
      return [{ rule: "manifest", level: "error", message: error.message }];
    }
    throw error;
  }
}

function describe({ content }: SourceDocument): string {
  const metadata = isJsonObject(content["metadata"]) ? content["metadata"] : {};
  const { namespace, name = metadata["generateName"] ?? "" } = metadata;
  return `${content["kind"]} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}
