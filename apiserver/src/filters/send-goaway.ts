import type { Filter } from "./filter.js";

/**
 * Tells some clients of HTTP/2 by GOAWAY to use another connection for what follows, so that a load balancer can divide
 * them anew. Requests under way are answered. `chance` is the fraction of requests after which this happens; `random`
 * returns a number from 0 up to 1.
 */
export function sendGoaway(chance: number, random: () => number = Math.random): Filter {
  return (context, next) => {
    if (random() < chance) {
      context.exchange.refuseMore();
    }
    return next(context);
  };
}
