import { startTestServer } from "../support/start-test-server.js";
import { describeStreams } from "./kubectl-streams.js";
import { withNode } from "./server-with-node.js";

await describeStreams("kubectl reaches pods of a node", () => withNode(startTestServer));
