export { AnswerCache } from "./answer-cache.js";
export { readReviewAnswer } from "./review-answer.js";
export { ReviewClient } from "./review-client.js";
export { decodeReview, encodeReview } from "./review-document.js";
export { answerProblem, emptyBodyProblem } from "./server-problem.js";
export type { ServiceAddresses } from "./service-addresses.js";
export { servicePathOf, webhookPathOf } from "./webhook-path.js";
