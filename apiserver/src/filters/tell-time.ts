import type { Handler } from "../request/handler.js";
import type { Filter } from "./filter.js";

/** Makes the filter that gives requests the time of a server whose clock is not that of the machine. */
export function tellTime(now: () => number): Filter {
  return (context, next: Handler) => {
    context.now = now;
    return next(context);
  };
}
