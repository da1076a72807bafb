export { startTestServer, type TestServer, type TestServerOptions } from "./support/start-test-server.js";
export { createTestPki, type TestPki } from "./support/test-pki.js";
export { until } from "./support/until.js";
