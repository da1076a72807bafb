import { type AdmissionAttributes, type AdmissionPlugin, isCoreWrite } from "@gatehouse/apiserver/admission";
import { textAt } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import { KeyedBuckets } from "@gatehouse/policies/rate-limit";
import type { PluginParts } from "../plugin-parts.js";
import { type EventLimit, readEventLimits } from "./configuration.js";

/** EventRateLimit: so many Events per second are written, in all, and of those that have something in common. */
export async function eventRateLimit({
  configuration,
  now,
}: Pick<PluginParts, "configuration" | "now">): Promise<AdmissionPlugin> {
  const limits = (await readEventLimits(configuration)).map((limit) => ({
    type: limit.type,
    buckets: new KeyedBuckets({
      perSecond: limit.qps,
      burst: limit.burst,
      maxKeys: limit.type === "Server" ? 1 : limit.cacheSize,
    }),
  }));
  return {
    name: "EventRateLimit",
    concerns: (write) => isCoreWrite(write, "events", ["CREATE", "UPDATE"]),
    validate(attributes) {
      if (attributes.dryRun) {
        return;
      }
      // Each limit is charged, whatever the others say.
      const reached = limits.flatMap(({ type, buckets }) => {
        const key = keys[type](attributes);
        return buckets.tryTake(key, now()) ? [] : [`limit reached on type ${type} for key ${key}`];
      });
      if (reached.length > 0) {
        const shown = [...new Set(reached)];
        const text = shown.length === 1 ? shown[0] : `[${shown.join(", ")}]`;
        throw new StatusError(429, "TooManyRequests", `Too many requests: ${text}`);
      }
    },
  };
}

/** Functions that return the key of the bucket of an Event, by type of limit. */
const keys: Readonly<Record<EventLimit["type"], (attributes: AdmissionAttributes) => string>> = {
  Server: () => "",
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.username,
  SourceAndObject: ({ object }) =>
    [
      textAt(object, "source", "component"),
      textAt(object, "source", "host"),
      ...["kind", "namespace", "name", "uid", "apiVersion"].map((member) => textAt(object, "involvedObject", member)),
    ].join(""),
};
