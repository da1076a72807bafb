import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import { isJsonObject } from "@gatehouse/envelopes/json";
import type { Hook } from "../../../toolkit/hooks/hook.js";
import { admit } from "../../../toolkit/testing/admit.js";
import { BadObjectError } from "../../../toolkit/testing/prepare-object.js";
import { DocumentError, listDocumentFiles, readObjects, type SourceDocument } from "../../read-documents.js";
import {
  type CheckedManifest,
  type CheckReport,
  type Finding,
  type ManifestPlace,
  manifestRule,
} from "./check-report.js";

type Verdict = Pick<Finding, "rule" | "level" | "message">;

/**
 * Puts every manifest of a file or folder to the hooks as if it were created. Rejects with ConfigurationError when
 * there is no manifest.
 */
export async function checkManifests(hooks: readonly Hook[], path: string): Promise<CheckReport> {
  const checked: CheckedManifest[] = [];
  const skipped: ManifestPlace[] = [];
  const findings: Finding[] = [];
  const add = (place: ManifestPlace, object: string, verdicts: readonly Verdict[], durationMs: number): void => {
    checked.push({ ...place, object, durationMs });
    findings.push(...verdicts.map((verdict) => ({ ...place, object, ...verdict })));
  };
  for (const file of await listDocumentFiles(path)) {
    const sources = await readObjects(file).catch(documentErrorOf);
    if (sources instanceof DocumentError) {
      add({ file, line: sources.line }, "document", [refusal(sources.text)], 0);
      continue;
    }
    for (const source of sources) {
      const { content, line } = source;
      if (content["apiVersion"] === undefined && content["kind"] === undefined) {
        skipped.push({ file, line });
      } else {
        const began = performance.now();
        const verdicts = await judge(hooks, source);
        add({ file, line }, describe(source), verdicts, performance.now() - began);
      }
    }
  }
  if (checked.length === 0) {
    // A check without manifests would pass unnoticed, for example after its folder has moved.
    const text = "there is no manifest: no YAML or JSON document with apiVersion and kind";
    throw new ConfigurationError(path, [problemAt("path", text)]);
  }
  return { hooks, checked, skipped, findings };
}

/** Returns an error of a document, which becomes a finding. Throws any other error. */
function documentErrorOf(error: unknown): DocumentError {
  if (error instanceof DocumentError) {
    return error;
  }
  throw error;
}

function refusal(message: string): Verdict {
  return { rule: manifestRule, level: "error", message };
}

async function judge(hooks: readonly Hook[], { content }: SourceDocument): Promise<readonly Verdict[]> {
  const missing = ["apiVersion", "kind"].filter((name) => typeof content[name] !== "string");
  if (missing.length > 0) {
    return missing.map((name) => refusal(`${name}: is required, and must be text`));
  }
  try {
    const { outcome, decidedBy = "", message = "", warnings, warnedBy } = await admit(hooks, { object: content });
    const notes = warnings.map((text, index) => ({
      rule: warnedBy[index] ?? manifestRule,
      level: "warning" as const,
      message: text,
    }));
    return outcome === "allowed" ? notes : [{ rule: decidedBy, level: "error", message }, ...notes];
  } catch (error) {
    if (error instanceof BadObjectError) {
      return [refusal(error.message)];
    }
    throw error;
  }
}

function describe({ content }: SourceDocument): string {
  const metadata = isJsonObject(content["metadata"]) ? content["metadata"] : {};
  const { namespace, name = metadata["generateName"] } = metadata;
  const path = [namespace, name].filter((part) => part !== undefined).join("/");
  return [content["kind"] ?? "document", path].filter((part) => part !== "").join(" ");
}
