export { type ServiceAddresses, WebhookClients } from "./webhook-clients.js";
