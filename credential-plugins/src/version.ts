/** Version of the package, as the programs of this workspace print it. */
export const version = "0.1.0";
