export type { Routes } from "./dispatch.js";
