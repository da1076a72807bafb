export type { Delegation } from "./delegation.js";
