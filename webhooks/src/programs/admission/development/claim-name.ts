import { once } from "node:events";
import { connect } from "node:net";
import type { Cluster } from "@gatehouse/component-base/cluster";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { configurationsNamed, isRegisteredAs } from "../registration/registered.js";

/** Milliseconds that a running server may take to accept a connection. */
const acceptMs = 1000;

/**
 * Checks that hooks at `url` may be registered under the name. Resolves to true when an earlier run has left a
 * registration of it. Rejects with ConfigurationError when the name belongs to another registration, or is in use.
 */
export async function claimName(cluster: Cluster, name: string, url: string): Promise<boolean> {
  const found = await configurationsNamed(cluster, name);
  for (const configuration of found) {
    if (!isRegisteredAs(name, configuration)) {
      throw refusal(`${configuration["kind"]} ${name} is there and was made by somebody else: take another name`);
    }
    const other = originOf(configuration);
    // Another server at this address holds the port; listening on it fails with an error of its own.
    if (other !== undefined && other.origin !== new URL(url).origin && (await answers(other))) {
      throw refusal(`${name} is registered for ${other.origin}, which answers: end that one, or take another name`);
    }
  }
  return found.length > 0;
}

function refusal(text: string): ConfigurationError {
  return new ConfigurationError("flags", [problemAt("--name", text)]);
}

function originOf({ webhooks }: JsonObject): URL | undefined {
  const [first] = Array.isArray(webhooks) ? webhooks : [];
  const config = isJsonObject(first) ? first["clientConfig"] : undefined;
  const url = isJsonObject(config) ? String(config["url"] ?? "") : "";
  return URL.canParse(url) ? new URL(url) : undefined;
}

async function answers({ hostname, port }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const socket = connect({ host, port: port === "" ? 443 : Number(port) });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(acceptMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
