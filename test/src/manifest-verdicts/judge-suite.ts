import { relative } from "node:path";
import { readInputs } from "@gatehouse/component-base/manifest-check";
import { type CheckedManifest, type ManifestReport, readObjectsOf } from "@gatehouse/component-base/manifests";
import { checkManifests, type JudgingServer, judgeManifests } from "@gatehouse/deploy/check";
import { type ManifestSuite, pathsOf } from "./public-manifests.js";

/** A verdict on a document: its place, and what the server refuses, as rules and messages. */
export interface SuiteVerdict {
  /** `file:line`, the file relative to the folder of the suite. */
  readonly place: string;
  readonly object: string;
  readonly errors: readonly string[];
}

const settings = {
  namespace: "default",
  oneByOne: false,
  strictNamespaces: false,
  keepsOrder: false,
  ignoresMissingKinds: false,
};

/**
 * Judges the manifests of a suite by a server, or by that of `gatehouse check`: all in one run, so that an object that a
 * second file has, too, is updated.
 */
export async function judgeSuite(
  suite: ManifestSuite,
  directory: string,
  server?: JudgingServer,
): Promise<readonly SuiteVerdict[]> {
  const paths = pathsOf(suite, directory);
  const inputs = await readInputs([paths.manifests], "gatehouse check");
  const inForce = await readObjectsOf(paths.inForce);
  const { report } =
    server === undefined
      ? await checkManifests(inputs, inForce, { ...settings, hooks: [], serverFlags: [], writeLog() {} })
      : await judgeManifests(server, inputs, inForce, settings);
  return verdictsIn(report, paths.manifests);
}

function verdictsIn({ checked }: ManifestReport, folder: string): readonly SuiteVerdict[] {
  return checked.map((manifest) => ({
    place: `${relative(folder, manifest.file)}:${manifest.line}`,
    object: manifest.object,
    errors: errorsOf(manifest),
  }));
}

function errorsOf({ findings }: CheckedManifest): readonly string[] {
  return findings.filter(({ level }) => level === "error").map(({ rule, message }) => `${rule}: ${message}`);
}

/** Returns a verdict as one line without any text of the manifest: the rules that refuse it, or `taken`. */
export function verdictText({ place, object, errors }: SuiteVerdict): string {
  const rules = errors.map((error) => error.slice(0, error.indexOf(":")));
  return `${place} ${object}: ${rules.join(", ") || "taken"}`;
}
