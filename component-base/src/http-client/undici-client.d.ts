/** The package as a whole takes four times as long to load as the part that is used here, which has no types of its own. */
declare module "undici/lib/dispatcher/client.js" {
  export { Client as default } from "undici";
}
