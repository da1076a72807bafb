/** What command-line programs are known as at the identity provider of a stack. */
export const developmentClientId = "kubectl";
