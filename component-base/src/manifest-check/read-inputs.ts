import { readFile } from "node:fs/promises";
import { basename, dirname, sep } from "node:path";
import { stdin } from "node:process";
import { text } from "node:stream/consumers";
import { textAt } from "@gatehouse/envelopes/json";
import {
  DocumentError,
  listDocumentFiles,
  objectsIn,
  type SkippedDocument,
  type SourceDocument,
} from "../manifests/index.js";

/** The documents of some paths, in their order: those to check, and those that only another program can read. */
export interface Inputs {
  readonly documents: readonly (SourceDocument | DocumentError)[];
  readonly skipped: readonly SkippedDocument[];
}

/** Name of standard input in reports. */
const stdinName = "stdin";

const kustomizeNames = new Set(["kustomization.yaml", "kustomization.yml", "kustomization"]);

/** Reasons to skip what only kustomize and Helm can read. */
interface SkipReasons {
  readonly kustomize: string;
  readonly helm: string;
}

/**
 * Reads the documents of files, of folders, and of standard input for `-`. `command` is the one that reads them, as the
 * reasons for skipped documents name it. Rejects with ConfigurationError when there is no such path, and with the error of the
 * system for a file that cannot be read.
 */
export async function readInputs(paths: readonly string[], command: string): Promise<Inputs> {
  const reasons: SkipReasons = {
    kustomize: `kustomize builds from it; pipe the output of kustomize build into ${command} -`,
    helm: `part of a Helm chart; pipe the output of helm template into ${command} -`,
  };
  const files = (await Promise.all(paths.map((path) => (path === "-" ? [path] : listDocumentFiles(path))))).flat();
  const charts = new Set(files.filter((file) => basename(file) === "Chart.yaml").map(dirname));
  const inputs = await Promise.all(files.map((file) => readInput(file, charts, reasons)));
  return { documents: inputs.flatMap(({ documents }) => documents), skipped: inputs.flatMap(({ skipped }) => skipped) };
}

async function readInput(file: string, charts: ReadonlySet<string>, reasons: SkipReasons): Promise<Inputs> {
  if (file === "-") {
    return await inputsIn(stdinName, await text(stdin), reasons);
  }
  if (kustomizeNames.has(basename(file))) {
    return notChecked(file, reasons.kustomize);
  }
  if (isOfChart(file, charts)) {
    return notChecked(file, reasons.helm);
  }
  return await inputsIn(file, await readFile(file, "utf8"), reasons);
}

/** Reports whether a file is a template, the values or the description of a chart; `crds` hold plain manifests. */
function isOfChart(file: string, charts: ReadonlySet<string>): boolean {
  return [...charts].some(
    (chart) =>
      file.startsWith(`${chart}${sep}templates${sep}`) ||
      (dirname(file) === chart && /^(?:Chart|values)/.test(basename(file))),
  );
}

async function inputsIn(file: string, content: string, reasons: SkipReasons): Promise<Inputs> {
  try {
    const objects = await objectsIn(file, content);
    return {
      documents: objects.filter((source) => reasonToSkip(source, reasons) === undefined),
      skipped: objects.flatMap((source) => {
        const reason = reasonToSkip(source, reasons);
        return reason === undefined ? [] : [{ file, line: source.line, reason }];
      }),
    };
  } catch (error) {
    if (!(error instanceof DocumentError)) {
      throw error;
    }
    // A template outside of a chart. In strings of valid YAML the braces belong to kinds that have templates of their own.
    return content.includes("{{") ? notChecked(file, reasons.helm) : { documents: [error], skipped: [] };
  }
}

function reasonToSkip({ content }: SourceDocument, reasons: SkipReasons): string | undefined {
  if (content["apiVersion"] === undefined && content["kind"] === undefined) {
    return "no manifest, without apiVersion and kind";
  }
  return textAt(content, "apiVersion").startsWith("kustomize.config.k8s.io/") ? reasons.kustomize : undefined;
}

function notChecked(file: string, reason: string): Inputs {
  return { documents: [], skipped: [{ file, line: 1, reason }] };
}
