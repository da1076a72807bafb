export type { ControlPlaneCertificates } from "./certificates.js";
export type { ClusterAccess, Kubeconfig, TestUser } from "./cluster-access.js";
export type { ClusterSnapshot, ControlPlane } from "./control-plane.js";
export type { ControlPlaneOptions, Manifest } from "./control-plane-options.js";
export type { ControlPlaneLogs } from "./log-lines.js";
export type { ServerProgram } from "./server-run/as-process.js";
export { startControlPlane } from "./start-control-plane.js";
export { ControlPlaneStartError } from "./start-error.js";
