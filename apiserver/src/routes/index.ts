export { dispatch, type Routes } from "./dispatch.js";
export { dispatchResource } from "./dispatch-resource.js";
export { healthPaths, healthRoutes } from "./health-routes.js";
export { lazyRoutes } from "./lazy-routes.js";
export { metricsRoute } from "./metrics-route.js";
