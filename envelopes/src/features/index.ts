export { defaultFeatures, type EnabledFeatures } from "./enabled-features.js";
export { type FeatureName, type FeatureSpec, type FeatureStage, knownFeatures } from "./known-features.js";
