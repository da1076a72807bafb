/** Client id of command-line programs at the identity provider of a stack. */
export const developmentClientId = "kubectl";
