import { checkConfigDocument, readConfigFile } from "@gatehouse/component-base/config-documents";
import type { FollowedFiles } from "@gatehouse/component-base/files";
import { type Logger, silentLogger } from "@gatehouse/component-base/logs";
import { ConfigurationError, problemAt } from "@gatehouse/component-base/problems";
import type { gatehouseimagesV1alpha1 } from "@gatehouse/envelopes/types";
import { type CompiledImageRules, compileImageRules, imageRulesProblems } from "@gatehouse/policies/image-rules";
import { expiredExceptions, logExpired } from "../../toolkit/config/expired-exceptions.js";
import { documentHash } from "../review-program/document-hash.js";
import { openReloadingDocument, type ReloadingDocumentOptions } from "../review-program/reloading-document.js";

/** The rules in force, with their hash. */
export interface ImageRuleSet {
  readonly rules: CompiledImageRules;
  /** Hash of the rules; equal for files that differ only in format or comments. */
  readonly hash: string;
}

const kind = { group: "config.gatehouse.dev", version: "v1alpha1", kind: "ImageRules" };

/** Reads the rules and follows their file. Rejects with ConfigurationError when they cannot be used now. */
export function openReloadingImageRules(options: ReloadingDocumentOptions): Promise<FollowedFiles<ImageRuleSet>> {
  const { logger = silentLogger } = options;
  const read = (file: string): Promise<ImageRuleSet> => readRules(file, logger);
  return openReloadingDocument({ name: "image rules", read, hashOf: ({ hash }) => hash }, options);
}

async function readRules(file: string, logger: Logger): Promise<ImageRuleSet> {
  const document = await readConfigFile(file);
  const content = await checkConfigDocument<gatehouseimagesV1alpha1.ImageRules>(document, [kind]);
  const problems = imageRulesProblems(content);
  if (problems.length > 0) {
    throw new ConfigurationError(
      document.subject,
      problems.map(({ path, text }) => problemAt(path, text)),
    );
  }
  logExpired(logger, file, expiredExceptions(content.exceptions ?? [], "exceptions", Date.now()));
  return { rules: compileImageRules(content), hash: documentHash(document.content) };
}
