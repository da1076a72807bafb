export { openTracing, type TracedService, type Tracing } from "./open-tracing.js";
export { readTracingConfiguration, type TracingConfiguration } from "./tracing-configuration.js";
