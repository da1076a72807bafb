import type { Handler } from "../request/handler.js";
export function openapiRoutes(_a: unknown): (p: string) => Handler | undefined {
  return () => undefined;
}
