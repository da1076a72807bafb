/** Writes the container file of a hook project. `sources` are the paths that `npm ci` needs beside its package.json. */
export function dockerfile(sources: readonly string[]): string {
  const copies = sources.map((path) => `COPY ${JSON.stringify([path, path])}\n`);
  return `FROM node:20-slim
WORKDIR /hooks
COPY package*.json ./
${copies.join("")}RUN npm ci --omit=dev
COPY . .
USER 65532:65532
ENTRYPOINT ["node", "node_modules/@gatehouse/webhooks/dist/programs/admission/main.js"]
`;
}

/**
 * Content of the `.dockerignore`: packages, which the image installs itself, and files that `dev` keeps beside the
 * project, such as private keys.
 */
export const dockerignore = "**/node_modules\n.git\n.gatehouse\n.env*\n";
