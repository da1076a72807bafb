import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { badRequest } from "@gatehouse/envelopes/status";

/**
 * Returns the container that a request means: the named one, or the only one. Throws 400 if the pod does not have it, or has
 * several.
 */
export function containerOf(pod: JsonObject, wanted: string): string {
  const containers = ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    listAt(pod, "spec", list).map((container) => textAt(container, "name")),
  );
  const name = textAt(pod, "metadata", "name");
  if (wanted !== "") {
    if (!containers.includes(wanted)) {
      throw badRequest(`container ${wanted} is not valid for pod ${name}`);
    }
    return wanted;
  }
  const [only, ...others] = listAt(pod, "spec", "containers");
  if (others.length > 0) {
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${containers.join(" ")}]`);
  }
  return textAt(only, "name");
}
