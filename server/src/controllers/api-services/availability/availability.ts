import {
  type Controller,
  type ControllerOptions,
  ignoreNotFound,
  untilAborted,
  WorkQueue,
} from "@gatehouse/apiserver/client";
import { isConditionTrue, setCondition, timestamp } from "@gatehouse/apiserver/objects";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { isRemote, type RemoteApiService, readApiService } from "../../../aggregation/api-service.js";
import type { AvailabilityMetrics } from "../../../aggregation/availability-metrics.js";
import { apiServices, endpoints, services } from "../../core-resources.js";
import { type Availability, available, local, serviceProblem } from "./service-problem.js";

/** The options of the availability controller. */
export interface AvailabilityOptions extends ControllerOptions {
  /** Asks the server of an APIService for its group version; resolves to the reason why that failed. */
  readonly probe: (apiService: RemoteApiService) => Promise<string | undefined>;
  readonly metrics: AvailabilityMetrics;
  readonly now: () => number;
}

/** Number of APIServices that are looked at at a time, as in v1.29. */
const concurrency = 5;
/** Milliseconds between two looks at an APIService to which nothing happens, and the bounds for those that fail. */
const lookAgainMs = 30_000;
const backoff = { firstMs: 5, maxMs: 30_000 };

/**
 * Keeps the condition `Available` of APIServices: their service must exist, listen on their port and have endpoints, and
 * the server behind it must answer for the group version.
 */
export function apiServiceAvailability(options: AvailabilityOptions): Controller {
  const { client, onError } = options;
  return {
    name: "apiservice-status-available-controller",
    async run(signal) {
      if (client.find(apiServices) === undefined) {
        return; // Switched off by --runtime-config.
      }
      const byService = new ServiceUsers();
      const work = (name: string): ReturnType<typeof look> => look(name, options);
      const queue = new WorkQueue({ work, concurrency, backoff, signal, onError });
      const take = (name: string, object: JsonObject | undefined): void => {
        byService.set(name, object);
        queue.add(name);
      };
      const kick = ({ namespace, name }: { readonly namespace: string; readonly name: string }): void => {
        for (const user of byService.of(namespace, name)) {
          queue.add(user);
        }
      };
      // First: an APIService whose service is not known yet would be unavailable for a moment.
      for (const resource of [services, endpoints]) {
        await client.observe(resource, { onList: (objects) => objects.forEach(kick), onEvent: kick, onError }, signal);
      }
      await client.observe(
        apiServices,
        {
          onList: (objects) => {
            for (const { name, entry } of objects) {
              take(name, entry.object());
            }
          },
          onEvent: ({ type, name, entry }) => take(name, type === "DELETED" ? undefined : entry.object()),
          onError,
        },
        signal,
      );
      await untilAborted(signal);
      await queue.idle();
    },
  };
}

/** The names of APIServices by the service that they use. */
class ServiceUsers {
  readonly #serviceOf = new Map<string, string>();
  readonly #users = new Map<string, Set<string>>();

  set(apiService: string, object: JsonObject | undefined): void {
    const before = this.#serviceOf.get(apiService);
    if (before !== undefined) {
      this.#serviceOf.delete(apiService);
      this.#users.get(before)?.delete(apiService);
    }
    const service = object === undefined ? undefined : readApiService(object).service;
    if (service !== undefined) {
      const key = `${service.namespace}/${service.name}`;
      this.#serviceOf.set(apiService, key);
      this.#users.set(key, (this.#users.get(key) ?? new Set()).add(apiService));
    }
  }

  of(namespace: string, name: string): Iterable<string> {
    return this.#users.get(`${namespace}/${name}`) ?? [];
  }
}

async function look(
  name: string,
  options: AvailabilityOptions,
): Promise<{ readonly afterMs: number } | "retry" | undefined> {
  const { client, metrics } = options;
  const object = client.cached(apiServices, "", name)?.object();
  if (object === undefined) {
    metrics.state(name, true);
    return undefined;
  }
  const apiService = readApiService(object);
  if (!isRemote(apiService)) {
    await record(name, local, options);
    return undefined;
  }
  const { namespace, name: serviceName } = apiService.service;
  const found = {
    service: client.cached(services, namespace, serviceName)?.object(),
    endpoints: client.cached(endpoints, namespace, serviceName)?.object(),
  };
  const problem = serviceProblem(apiService, found);
  if (problem !== undefined) {
    await record(name, problem, options);
    return { afterMs: lookAgainMs };
  }
  const reason = await options.probe(apiService);
  if (reason === undefined) {
    await record(name, available, options);
    return { afterMs: lookAgainMs };
  }
  await record(name, { status: "False", reason: "FailedDiscoveryCheck", message: reason }, options);
  return "retry";
}

async function record(name: string, found: Availability, { client, metrics, now }: AvailabilityOptions): Promise<void> {
  metrics.state(name, found.status === "True");
  let isLost = false;
  await client
    .update(apiServices, { namespace: "", name, subresource: "status" }, (object) => {
      const before = JSON.stringify(object);
      const wasAvailable = isConditionTrue(object, "Available");
      setCondition(object, { type: "Available", ...found }, timestamp(now()));
      isLost = wasAvailable && found.status !== "True";
      return JSON.stringify(object) === before ? undefined : object;
    })
    .catch(ignoreNotFound);
  if (isLost) {
    metrics.lost(name, found.reason);
  }
}
