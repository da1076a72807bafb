export { answerFields, sendAnswer, sendPieces } from "./answer.js";
export { readBody } from "./body.js";
export type { ConnectionSource } from "./connection-source.js";
export { indentJson } from "./indent-json.js";
export { type Encoding, plainOffer, type Representation } from "./negotiation.js";
export { sendBytes, sendJsonBytes, sendStatus, sendText } from "./responder.js";
export { checkAccept } from "./route-accept.js";
