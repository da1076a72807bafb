import {
  type EnabledFeatures,
  type FeatureName,
  type FeatureSpec,
  type FeatureStage,
  knownFeatures,
} from "@gatehouse/envelopes/features";
import { parseGoBoolean } from "@gatehouse/envelopes/go";

/** The states of all feature gates. Made once at start. */
export interface FeatureGates extends EnabledFeatures {
  /** Lists every gate and its state, in name order, for the `kubernetes_feature_enabled` metric. */
  all(): readonly FeatureState[];
}

/** A gate as it stands after all flags. */
export interface FeatureState {
  readonly name: FeatureName;
  readonly stage: FeatureStage;
  readonly enabled: boolean;
}

/** The result of reading `--feature-gates`. The gates may be used only when there are no problems. */
export interface ParsedFeatureGates {
  readonly gates: FeatureGates;
  /** Problems of the flag, in the words of v1.29; empty for none. */
  readonly problems: readonly string[];
  /** Warnings about the flag for the operator. */
  readonly warnings: readonly string[];
}

/** Gates that stand for all gates of a stage. A gate that is set by its own name is not touched by them. */
const stageGates: ReadonlyMap<FeatureName, FeatureStage> = new Map([
  ["AllAlpha", "Alpha"],
  ["AllBeta", "Beta"],
]);

/** Returns all features in their state without `--feature-gates`. */
export function defaultFeatureGates(): FeatureGates {
  return featureGates(new Map());
}

/**
 * Reads `--feature-gates`: `A=true,B=false`. `unsupported` has gates that cannot be turned on, each with its reason:
 * they are refused by their name, and stay off when all gates of their stage are turned on.
 */
export function parseFeatureGates(
  text: string,
  unsupported: ReadonlyMap<FeatureName, string> = new Map(),
): ParsedFeatureGates {
  const settings = new Map<FeatureName, boolean>();
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const setting of text.split(",")) {
    if (setting === "") {
      continue;
    }
    const parsed = parseSetting(setting);
    if (typeof parsed === "string") {
      problems.push(parsed);
      continue;
    }
    const { stage } = knownFeatures[parsed.name];
    if (stage === "GA" || stage === "Deprecated") {
      const what = stage === "GA" ? "GA" : "deprecated";
      warnings.push(
        `Setting ${what} feature gate ${parsed.name}=${parsed.value}. It will be removed in a future release.`,
      );
    }
    const missing = parsed.value ? unsupported.get(parsed.name) : undefined;
    if (missing !== undefined) {
      problems.push(`feature gate ${parsed.name} is not supported: ${missing}`);
    }
    settings.set(parsed.name, parsed.value);
  }
  const asked = featureGates(settings);
  for (const [name, reason] of unsupported) {
    if (asked.enabled(name) && settings.get(name) !== true) {
      warnings.push(`Feature gate ${name} stays off: ${reason}`);
      settings.set(name, false);
    }
  }
  return { gates: featureGates(settings), problems, warnings };
}

/** Parses the gate and its value, or returns the problem. */
function parseSetting(setting: string): { readonly name: FeatureName; readonly value: boolean } | string {
  const equals = setting.indexOf("=");
  const name = (equals === -1 ? setting : setting.slice(0, equals)).trim();
  if (equals === -1) {
    return `missing bool value for ${name}`;
  }
  const text = setting.slice(equals + 1).trim();
  const value = parseGoBoolean(text);
  if (value === undefined) {
    return `invalid value of ${name}=${text}, err: strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
  }
  if (!isFeatureName(name)) {
    return `unrecognized feature gate: ${name}`;
  }
  const spec: FeatureSpec = knownFeatures[name];
  if (spec.locked && spec.default !== value) {
    return `cannot set feature gate ${name} to ${value}, feature is locked to ${spec.default}`;
  }
  return { name, value };
}

function isFeatureName(name: string): name is FeatureName {
  return Object.hasOwn(knownFeatures, name);
}

function featureGates(settings: ReadonlyMap<FeatureName, boolean>): FeatureGates {
  const stages = new Map<FeatureStage, boolean>();
  for (const [gate, stage] of stageGates) {
    const value = settings.get(gate);
    if (value !== undefined) {
      stages.set(stage, value);
    }
  }
  const enabled = (name: FeatureName): boolean => {
    const spec: FeatureSpec = knownFeatures[name];
    return settings.get(name) ?? (stageGates.has(name) ? undefined : stages.get(spec.stage)) ?? spec.default;
  };
  return {
    enabled,
    all: () =>
      (Object.keys(knownFeatures) as FeatureName[]).map((name) => ({
        name,
        stage: knownFeatures[name].stage,
        enabled: enabled(name),
      })),
  };
}
