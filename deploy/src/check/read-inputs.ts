import { readFile } from "node:fs/promises";
import { basename, dirname, sep } from "node:path";
import { stdin } from "node:process";
import { text } from "node:stream/consumers";
import {
  DocumentError,
  listDocumentFiles,
  objectsIn,
  type SkippedDocument,
  type SourceDocument,
} from "@gatehouse/component-base/manifests";
import { textAt } from "@gatehouse/envelopes/json";

/** The documents of some paths, in their order: those to check, and those that only another program can read. */
export interface Inputs {
  readonly documents: readonly (SourceDocument | DocumentError)[];
  readonly skipped: readonly SkippedDocument[];
}

/** Name of standard input in reports. */
const stdinName = "stdin";

const kustomizeNames = new Set(["kustomization.yaml", "kustomization.yml", "kustomization"]);
const kustomizeReason = "kustomize builds from it; pipe the output of kustomize build into gatehouse check -";
const helmReason = "part of a Helm chart; pipe the output of helm template into gatehouse check -";

/**
 * Reads the documents of files, of folders, and of standard input for `-`. Rejects with ConfigurationError when there is
 * no such path, and with the error of the system for a file that cannot be read.
 */
export async function readInputs(paths: readonly string[]): Promise<Inputs> {
  const files = (await Promise.all(paths.map((path) => (path === "-" ? [path] : listDocumentFiles(path))))).flat();
  const charts = new Set(files.filter((file) => basename(file) === "Chart.yaml").map(dirname));
  const inputs = await Promise.all(files.map((file) => readInput(file, charts)));
  return { documents: inputs.flatMap(({ documents }) => documents), skipped: inputs.flatMap(({ skipped }) => skipped) };
}

async function readInput(file: string, charts: ReadonlySet<string>): Promise<Inputs> {
  if (file === "-") {
    return await inputsIn(stdinName, await text(stdin));
  }
  if (kustomizeNames.has(basename(file))) {
    return notChecked(file, kustomizeReason);
  }
  if (isOfChart(file, charts)) {
    return notChecked(file, helmReason);
  }
  return await inputsIn(file, await readFile(file, "utf8"));
}

/** Reports whether a file is a template, the values or the description of a chart; `crds` hold plain manifests. */
function isOfChart(file: string, charts: ReadonlySet<string>): boolean {
  return [...charts].some(
    (chart) =>
      file.startsWith(`${chart}${sep}templates${sep}`) ||
      (dirname(file) === chart && /^(?:Chart|values)/.test(basename(file))),
  );
}

async function inputsIn(file: string, content: string): Promise<Inputs> {
  try {
    const objects = await objectsIn(file, content);
    return {
      documents: objects.filter((source) => reasonToSkip(source) === undefined),
      skipped: objects.flatMap((source) => {
        const reason = reasonToSkip(source);
        return reason === undefined ? [] : [{ file, line: source.line, reason }];
      }),
    };
  } catch (error) {
    if (!(error instanceof DocumentError)) {
      throw error;
    }
    // A template outside of a chart. In strings of valid YAML the braces belong to kinds that have templates of their own.
    return content.includes("{{") ? notChecked(file, helmReason) : { documents: [error], skipped: [] };
  }
}

function reasonToSkip({ content }: SourceDocument): string | undefined {
  if (content["apiVersion"] === undefined && content["kind"] === undefined) {
    return "no manifest, without apiVersion and kind";
  }
  return textAt(content, "apiVersion").startsWith("kustomize.config.k8s.io/") ? kustomizeReason : undefined;
}

function notChecked(file: string, reason: string): Inputs {
  return { documents: [], skipped: [{ file, line: 1, reason }] };
}
