import { createServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type Lie, lies, type Told } from "./lies.js";

/** The group of the kind that the webhook converts: in v1 it has a host, in v2 a hostname. */
export const group = "convert.example.com";

/** A conversion webhook that says what it is told to say. */
export interface LyingWebhook extends AsyncDisposable {
  readonly url: string;
  /** Sets the answer from now on. */
  tell(lie: Lie): void;
}

/** Starts one on 127.0.0.1, with a certificate for that address. */
export async function startLyingWebhook(certificate: Pick<ServerOptions, "cert" | "key">): Promise<LyingWebhook> {
  let lie = lies["the truth"] as Lie;
  const server = createServer(certificate, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const told = lie(truth(JSON.parse(Buffer.concat(chunks).toString()) as Review));
      setTimeout(() => answer(told), told.afterMs ?? 0);
    });
    const answer = ({ status = 200, type = "application/json", body, endAfter }: Told): void => {
      response.writeHead(status, { ...(type && { "content-type": type }), "content-length": Buffer.byteLength(body) });
      if (endAfter === undefined) {
        response.end(body);
      } else {
        response.write(body.slice(0, endAfter), () => request.socket.destroy());
      }
    };
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/convert`,
    tell(next) {
      lie = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Review {
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly JsonObject[];
  };
}

function truth({ request: { uid, desiredAPIVersion, objects } }: Review): JsonObject {
  const convertedObjects = objects.map(({ spec, ...object }) => {
    const { host, hostname, ...others } = (spec ?? {}) as JsonObject;
    const name = hostname ?? host ?? null;
    return {
      ...object,
      apiVersion: desiredAPIVersion,
      spec: { ...others, [desiredAPIVersion === `${group}/v1` ? "host" : "hostname"]: name },
    };
  });
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    response: { uid, result: { status: "Success" }, convertedObjects },
  };
}

/** The definition of the kind. */
export function siteDefinition(url: string, authorityPem: string): JsonObject {
  const version = (name: string, member: string, storage: boolean): JsonObject => ({
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: {
            type: "object",
            properties: { [member]: { type: "string" }, port: { type: "integer", default: 80 } },
          },
        },
      },
    },
  });
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `sites.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "sites", singular: "site", kind: "Site", listKind: "SiteList" },
      versions: [version("v1", "host", true), version("v2", "hostname", false)],
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1"],
          clientConfig: { url, caBundle: Buffer.from(authorityPem).toString("base64") },
        },
      },
    },
  };
}
