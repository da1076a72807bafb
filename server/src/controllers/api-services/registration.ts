import {
  type Controller,
  type ControllerOptions,
  isLostRace,
  isNotFound,
  type ObjectClient,
  type ObjectObserver,
  untilAborted,
  WorkQueue,
} from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { RegistrySource } from "@gatehouse/apiserver/registry";
import { customResourceDefinitions } from "@gatehouse/custom-resources/definition";
import { isSameState } from "@gatehouse/envelopes/go";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { apiServices } from "../core-resources.js";
import { DefinedApiServices } from "./defined-api-services.js";
import {
  builtinApiServices,
  definedApiService,
  type Management,
  managementOf,
  type RankedGroup,
} from "./wanted-api-service.js";

/** The options of the registration controller. */
export interface ApiServiceRegistrationOptions extends ControllerOptions {
  readonly liveRegistry: Pick<RegistrySource, "current">;
  readonly builtinGroups: readonly RankedGroup[];
}

/** Number of API services that are reconciled at a time. */
const concurrency = 5;

/**
 * Makes an APIService for each group version that this server answers for, as kube-apiserver does, so that clients find
 * all of them in one list. Those of built-in groups are reconciled once, when the server starts: a later change or
 * deletion stays until the next start. Those of definitions follow the definitions.
 */
export function apiServiceRegistration(options: ApiServiceRegistrationOptions): Controller {
  const { client, liveRegistry, builtinGroups, onError } = options;
  return {
    name: "kube-apiserver-autoregistration",
    async run(signal) {
      if (client.find(apiServices) === undefined) {
        return; // Switched off by --runtime-config.
      }
      const builtin = builtinApiServices(builtinGroups, liveRegistry.current);
      const existing = new Set((await client.list(apiServices, "")).map(({ name }) => name));
      const done = new Set<string>();
      const work = async (name: string): Promise<undefined> => {
        const wanted = defined.has(name) ? definedApiService(name) : builtin.get(name);
        await makeRight(client, name, wanted, { isFirst: !done.has(name), existed: existing.has(name) });
        done.add(name);
      };
      const queue = new WorkQueue({ ...options, signal, work, concurrency });
      const onChange = (name: string): void => queue.add(name);
      const defined = new DefinedApiServices({ onChange, onError });
      if (client.find(customResourceDefinitions) !== undefined) {
        // First: what nobody seems to define is deleted.
        await client.observe(customResourceDefinitions, defined.observer(), signal);
      }
      for (const name of builtin.keys()) {
        queue.add(name);
      }
      const observer: ObjectObserver = {
        onList(objects) {
          for (const { name } of objects) {
            queue.add(name);
          }
        },
        onEvent: ({ name }) => queue.add(name),
        onError,
      };
      await client.observe(apiServices, observer, signal);
      await untilAborted(signal);
      await queue.idle();
    },
  };
}

/** The past of an API service that is managed `onstart`. */
interface History {
  /** True if it has not been reconciled since the server started. */
  readonly isFirst: boolean;
  /** True if it existed when the server started. */
  readonly existed: boolean;
}

async function makeRight(
  client: ObjectClient,
  name: string,
  wanted: JsonObject | undefined,
  history: History,
): Promise<void> {
  if (wanted !== undefined && managementOf(wanted) === "onstart" && !history.isFirst) {
    return;
  }
  const current = client.cached(apiServices, "", name)?.object();
  if (current === undefined) {
    if (wanted !== undefined) {
      await client.create(apiServices, wanted).catch(ignoreLostRace);
    }
  } else if (!isManaged(managementOf(current), history)) {
    return;
  } else if (wanted === undefined) {
    const { uid = "" } = metaOf(current);
    await client.delete(apiServices, "", name, { preconditions: { uid } }).catch(ignoreLostRace);
  } else if (!isSameState(objectAt(current, "spec"), objectAt(wanted, "spec"))) {
    const target = { namespace: "", name };
    const revise = (object: JsonObject): JsonObject | undefined =>
      managementOf(object) === undefined ? undefined : { ...object, spec: objectAt(wanted, "spec") };
    await client.update(apiServices, target, revise).catch(ignoreLostRace);
  }
}

function isManaged(management: Management | undefined, { isFirst, existed }: History): boolean {
  return management === "true" || (management === "onstart" && isFirst && existed);
}

/** Ignores a lost race: the observer sees the change of the winner. */
function ignoreLostRace(error: unknown): void {
  if (!isNotFound(error) && !isLostRace(error)) {
    throw error;
  }
}
