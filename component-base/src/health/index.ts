export { answerHealth, type HealthAnswer, type HealthCheck, type HealthChecks, pingCheck } from "./answer-health.js";
