import type { ExtensionPlugin } from "@gatehouse/apiserver/extension";
import { textAt, textsAt } from "@gatehouse/envelopes/json";
import { forbidden } from "@gatehouse/envelopes/status";

const group = "wardle.example.com";

/** The admission plugin BanFlunder: no flunder has a name that a fischer forbids. */
export const banFlunder: ExtensionPlugin = {
  name: "BanFlunder",
  isOnByDefault: true,
  make({ objects }) {
    const fischers = objects.view({ group, resource: "fischers" }, (fischer) => textsAt(fischer, "disallowedFlunders"));
    return {
      name: "BanFlunder",
      concerns: ({ operation, resource }) =>
        operation === "CREATE" && resource.group === group && resource.resource === "flunders",
      admit({ object, resource, name }) {
        if (fischers.list("").some((names) => names.includes(textAt(object, "metadata", "name")))) {
          throw forbidden(resource, name, "this name may not be used, please change the resource name");
        }
      },
    };
  },
};
