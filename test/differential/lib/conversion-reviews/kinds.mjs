// Custom kinds whose versions a webhook converts: the same three versions for each, and other versions of the review.
import { sampleDefinition } from "../sample-definition.mjs";

export const group = "conversions.example.com";
export const versions = ["v1", "v2", "v3"];

/** The versions of ConversionReview that the webhook of a kind takes. */
const reviewVersions = {
  ones: ["v1"],
  betas: ["v1beta1"],
  boths: ["v1beta1", "v1"],
  firsts: ["v7", "v1"],
};
export const plurals = Object.keys(reviewVersions);
const paths = { ones: "/convert", betas: "/convert/", boths: "//a/../convert", firsts: "/convert%20é(1)" };

const text = { type: "string" };
const specs = {
  v1: { host: text, port: { type: "integer", default: 80 } },
  v2: { hostname: text, port: { type: "integer" } },
  v3: { address: { type: "object", properties: { host: text } }, port: { type: "integer" } },
};

/** The definitions; `{{HOOK}}` and `{{CA}}` stand for the webhook of a side. */
export const definitions = plurals.map((plural) => {
  const served = versions.map((name) => ({
    subresources: { status: {} },
    schema: {
      type: "object",
      properties: {
        spec: { type: "object", properties: specs[name] },
        status: { type: "object", properties: { phase: text } },
      },
    },
  }));
  const { spec, ...definition } = sampleDefinition(group, plural, kindOf(plural), served);
  const conversion = {
    strategy: "Webhook",
    webhook: {
      conversionReviewVersions: reviewVersions[plural],
      clientConfig: { url: `{{HOOK}}${paths[plural]}`, caBundle: "{{CA}}" },
    },
  };
  return { ...definition, spec: { ...spec, conversion } };
});

export function kindOf(plural) {
  return `${plural[0].toUpperCase()}${plural.slice(1, -1)}`;
}

export const collectionOf = (plural, version, namespace) =>
  `/apis/${group}/${version}/namespaces/${namespace}/${plural}`;

/** Returns a spec of a version. */
export function specOf(version, host, port) {
  const own = { v1: { host }, v2: { hostname: host }, v3: { address: { host } } }[version];
  return { ...own, ...(port !== undefined && { port }) };
}

/** Returns the true response to a review. */
export function truth({ apiVersion, request: { uid, desiredAPIVersion, objects } }) {
  const to = desiredAPIVersion.split("/")[1];
  const convertedObjects = objects.map(({ spec, ...object }) => {
    const { host, hostname, address, ...rest } = spec ?? {};
    const stated = host ?? hostname ?? address?.host;
    const made = { ...rest, ...(stated === undefined ? {} : specOf(to, stated)) };
    return { ...object, apiVersion: desiredAPIVersion, ...(spec === undefined ? {} : { spec: made }) };
  });
  return { apiVersion, kind: "ConversionReview", response: { uid, result: { status: "Success" }, convertedObjects } };
}

/** Returns the answer that tells the truth. */
export function truthful(review) {
  return { body: JSON.stringify(truth(review)) };
}
