export { type EventuallyOptions, eventually } from "../eventually.js";
export { type Denial, type ExpectedDenial, expectDenied } from "./expect-denied.js";
export { type ClusterMatchers, type ExpectedCondition, type MatcherResult, matchers } from "./matchers.js";
