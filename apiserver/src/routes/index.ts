export type { Routes } from "./dispatch.js";
export { lazyRoutes } from "./lazy-routes.js";
