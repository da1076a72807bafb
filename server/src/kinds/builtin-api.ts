import type { ServedApi } from "@gatehouse/apiserver/discovery";
import { builtinResources } from "./builtin-resources.js";
import { builtinGroups } from "./groups.js";

/** The built-in API that is served by default, as discovery sees it. */
export function builtinApi(): ServedApi {
  const groups = builtinGroups.flatMap((group) => {
    const versions = group.versions.flatMap(({ version }) => {
      const resources = builtinResources
        .filter((item) => item.group === group.name && item.version === version && item.servedByDefault)
        .map((definition) => ({
          ...definition,
          subresources: definition.subresources.map((item) => ({
            ...item,
            kind: item.kind ?? { group: definition.group, version: definition.version, kind: definition.kind },
          })),
        }))
        .sort((a, b) => (a.resource < b.resource ? -1 : 1));
      return resources.length === 0 ? [] : [{ group: group.name, version, resources }];
    });
    const [preferred] = versions;
    return preferred === undefined ? [] : [{ name: group.name, versions, preferredVersion: preferred.version }];
  });
  return { groups, serverAddresses: [{ clientCIDR: "0.0.0.0/0", serverAddress: "10.0.0.1:6443" }] };
}
