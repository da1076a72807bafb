import { sendText } from "../http/responder.js";
import type { Routes } from "./dispatch.js";

/**
 * Returns routes below a prefix whose code is loaded when one of them is first requested, not while the server starts.
 */
export function lazyRoutes(prefix: string, load: () => Promise<Routes>): Routes {
  let loading: Promise<Routes> | undefined;
  return (path) =>
    path.startsWith(prefix)
      ? async (context) => {
          loading ??= load();
          const handler = (await loading)(path);
          return handler === undefined ? sendText(context, 404, "404 page not found\n") : handler(context);
        }
      : undefined;
}
