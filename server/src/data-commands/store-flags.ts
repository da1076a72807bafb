import { defineFlags } from "@gatehouse/component-base/flags";

const group = "Store";

/** The place of the embedded store. */
export const dataDirectoryFlag = {
  type: "path",
  default: ".gatehouse/data",
  group,
  help: "The data `directory` of the API server: its --data-dir. A stack of `gatehouse up --data-dir DIR` has it in DIR/data.",
} as const;

/** The flags that name the store of a command. */
export const storeFlags = defineFlags({ "data-dir": dataDirectoryFlag });
