export { type BehindControlPlane, type StartBehindOptions, startBehind } from "./start-behind.js";
