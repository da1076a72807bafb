export type { AccessUser, RequestedAccess } from "./requested-access.js";
