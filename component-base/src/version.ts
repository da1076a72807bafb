/** Version of Gatehouse, which all of its packages share (`scripts/check-packages.mjs` sees to it). */
export const version = "0.1.0";
