export { WebhookClients } from "./webhook-clients.js";
