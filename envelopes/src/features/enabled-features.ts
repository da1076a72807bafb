import { type FeatureName, knownFeatures } from "./known-features.js";

/** The features that are enabled. */
export interface EnabledFeatures {
  enabled(name: FeatureName): boolean;
}

/** The features of a v1.29 server whose `--feature-gates` are not set. */
export const defaultFeatures: EnabledFeatures = { enabled: (name) => knownFeatures[name].default };
