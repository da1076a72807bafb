export { NodeGraph } from "./node-graph.js";
export { decideForNode, nodeNameOf } from "./node-verdict.js";
