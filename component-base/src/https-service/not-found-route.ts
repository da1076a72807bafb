import { resourceNotFound } from "@gatehouse/envelopes/status";
import type { Middleware } from "./middleware.js";
import { sendStatus } from "./send-json.js";

/** Answers what no other route has taken, in place of Express's page that shows the path. */
export const notFoundRoute: Middleware = (_request, response) => {
  sendStatus(response, resourceNotFound().status);
};
