import { integerAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import type { RemoteApiService } from "../../../aggregation/api-service.js";

/** The content of the condition `Available`, with v1.29's reasons and texts. */
export interface Availability {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** The availability of a group version that this server serves itself. */
export const local: Availability = {
  status: "True",
  reason: "Local",
  message: "Local APIServices are always available",
};

/** The availability of a group version whose server answers. */
export const available: Availability = { status: "True", reason: "Passed", message: "all checks passed" };

/** The objects that say where a server is. */
export interface ServiceObjects {
  readonly service: JsonObject | undefined;
  readonly endpoints: JsonObject | undefined;
}

/** Returns the reason why the service of an APIService leads nowhere; undefined where its server can be asked. */
export function serviceProblem(apiService: RemoteApiService, found: ServiceObjects): Availability | undefined {
  const { namespace, name, port } = apiService.service;
  const place = `service/${name} in ${JSON.stringify(namespace)}`;
  const { service, endpoints } = found;
  if (service === undefined) {
    return problem("ServiceNotFound", `${place} is not present`);
  }
  if (textAt(service, "spec", "type") !== "ClusterIP") {
    return undefined;
  }
  const servicePort = listAt(service, "spec", "ports").find((item) => Number(integerAt(item, "port")) === port);
  if (servicePort === undefined) {
    return problem("ServicePortError", `${place} is not listening on port ${port}`);
  }
  if (endpoints === undefined) {
    return problem("EndpointsNotFound", `cannot find endpoints for ${place}`);
  }
  const portName = textAt(servicePort, "name");
  const isActive = listAt(endpoints, "subsets").some(
    (subset) =>
      listAt(subset, "addresses").length > 0 &&
      listAt(subset, "ports").some((item) => textAt(item, "name") === portName),
  );
  return isActive
    ? undefined
    : problem(
        "MissingEndpoints",
        `endpoints for ${place} have no addresses with port name ${JSON.stringify(portName)}`,
      );
}

function problem(reason: string, message: string): Availability {
  return { status: "False", reason, message };
}
