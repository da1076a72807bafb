import { createHash } from "node:crypto";
import {
  ConfigurationError,
  checkConfigDocument,
  type FollowedFiles,
  followFiles,
  type Logger,
  problemAt,
  readConfigFile,
  silentLogger,
} from "@gatehouse/component-base";
import { encodeJson, type gatehouseimagesV1alpha1 } from "@gatehouse/envelopes";
import { type CompiledImageRules, compileImageRules, imageRulesProblems } from "@gatehouse/policies";

/** Rules that are in force. */
export interface RuleSet {
  readonly rules: CompiledImageRules;
  /** Of what the document says; the same for the same rules, whatever the file looks like. Hexadecimal, 16 digits. */
  readonly hash: string;
}

/** Which file, and how it is followed. */
export interface ReloadingRulesOptions {
  readonly file: string;
  /** How often the file is looked at, in milliseconds. Default 5 seconds. */
  readonly pollIntervalMs?: number;
  /** Default: nothing is logged. */
  readonly logger?: Logger;
}

const kind = { group: "config.gatehouse.dev", version: "v1alpha1", kind: "ImageRules" };
const defaultPollIntervalMs = 5000;

/** Reads the rules and follows their file. Rejects with ConfigurationError when they cannot be used now. */
export function openReloadingRules(options: ReloadingRulesOptions): Promise<FollowedFiles<RuleSet>> {
  const { file, logger = silentLogger } = options;
  return followFiles({
    files: [file],
    read: () => readRules(file),
    pollIntervalMs: options.pollIntervalMs ?? defaultPollIntervalMs,
    onReload: ({ hash }) => logger.info("image rules reloaded", { file, hash }),
    onRefusal: (error) => logger.error("cannot use the new image rules, keeping the old ones", { file, error }),
  });
}

async function readRules(file: string): Promise<RuleSet> {
  const document = await readConfigFile(file);
  const content = await checkConfigDocument<gatehouseimagesV1alpha1.ImageRules>(document, [kind]);
  const problems = imageRulesProblems(content);
  if (problems.length > 0) {
    throw new ConfigurationError(
      document.subject,
      problems.map(({ path, text }) => problemAt(path, text)),
    );
  }
  const hash = createHash("sha256").update(encodeJson(document.content)).digest("hex").slice(0, 16);
  return { rules: compileImageRules(content), hash };
}
