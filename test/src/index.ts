export { startTestServer } from "./support/start-test-server.js";
export { until } from "./support/until.js";
