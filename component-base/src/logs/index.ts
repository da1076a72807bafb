export { createLogger, type LoggerOptions, type LogThreshold, standardErrorProblem } from "./create-logger.js";
export { type LogFields, type Logger, type LogLevel, silentLogger } from "./logger.js";
