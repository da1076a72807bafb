/** As whom the API server calls webhook servers: they let in nobody else. */
export const webhookCallerName = "gatehouse-apiserver-webhook-caller";

/** As whom the API server sends audit events. */
export const auditSenderName = "gatehouse-apiserver-audit";

/** As whom people ask the audit sink of a deployment. */
export const auditReaderName = "gatehouse-audit-reader";

/** The administrator's name at the API server. */
export const administratorName = "kubernetes-admin";

/** Who can still mend what administrators have broken. */
export const superAdministratorName = "kubernetes-super-admin";

/** Administrators whose rights come from a binding, so that they can be taken away. */
export const administratorGroup = "gatehouse:cluster-admins";

/** May do everything whatever roles and authorizers say, and nothing can change that but another authority. */
export const privilegedGroup = "system:masters";
