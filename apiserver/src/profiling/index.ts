export { openDebugSocket } from "./debug-socket.js";
export { profilingRoutes } from "./profiling-routes.js";
