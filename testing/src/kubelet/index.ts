export type { NodeCluster } from "./node-cluster.js";
export type {
  AttachHandler,
  CommandIo,
  ContainerScript,
  ExecHandler,
  ExitCode,
  LogEntry,
  LogGenerator,
  LogQuery,
  PodScript,
  PortHandler,
  TerminalSize,
} from "./pod-script.js";
export { runInFolder } from "./real-command.js";
export { type NodeOptions, type PodOptions, startNode, type TestNode, type TestPod } from "./start-node.js";
