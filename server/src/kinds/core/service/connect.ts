import type { RegistrySource } from "@gatehouse/apiserver/registry";
import { type Connect, splitSchemeNamePort } from "@gatehouse/apiserver/subresources";
import { integerAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { badRequest, notFound, StatusError } from "@gatehouse/envelopes/status";
import { findNamed, readNamed } from "../read-named.js";

/** Returns the handler of a service's /proxy, which leads to one of its endpoints. */
export function connectServiceProxy(liveRegistry: RegistrySource): Connect {
  return async ({ context, served }) => {
    const { name, namespace } = context.info;
    const id = splitSchemeNamePort(name);
    if (id === undefined) {
      throw badRequest(`invalid service request ${JSON.stringify(name)}`);
    }
    const portName = /^[+-]?\d+$/.test(id.port)
      ? portNamed(await readNamed(served, namespace, id.name), id.name, Number(id.port))
      : id.port;
    const endpoints = await findNamed(liveRegistry.current.find("", "v1", "endpoints"), namespace, id.name);
    if (endpoints === undefined) {
      // v1.29 names the service, whether it exists or not.
      throw notFound(served, id.name);
    }
    const subsets = listAt(endpoints, "subsets");
    if (subsets.length === 0) {
      throw unavailable(`no endpoints available for service ${JSON.stringify(id.name)}`);
    }
    const leads = subsets.some(
      (subset) =>
        listAt(subset, "addresses").length > 0 &&
        listAt(subset, "ports").some((port) => textAt(port, "name") === portName),
    );
    throw unavailable(
      leads ? "this server does not connect to pods" : `no endpoints available for service ${JSON.stringify(name)}`,
    );
  };
}

function portNamed(service: JsonObject, name: string, number: number): string {
  const port = listAt(service, "spec", "ports").find((item) => Number(integerAt(item, "port")) === number);
  if (port === undefined) {
    throw unavailable(`no service port ${number} found for service ${JSON.stringify(name)}`);
  }
  return textAt(port, "name");
}

function unavailable(message: string): StatusError {
  return new StatusError(503, "ServiceUnavailable", message);
}
