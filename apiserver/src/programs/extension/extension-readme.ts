/** Returns the README.md of a new extension API server. `group` is the API group that it serves. */
export function extensionReadme(name: string, group: string): string {
  return `# ${name}

An extension API server: it serves the API group \`${group}\` behind a Kubernetes API server.

    npm install
    npm test
    npm run dev

\`npm run dev\` starts the server behind a control plane of its own, and prints commands to try. \`npm start\` runs it behind
the API server of a cluster; \`npm start -- --help\` lists its flags, such as:

    npm start -- --secure-port=8443 --kubeconfig=FILE --authentication-kubeconfig=FILE --authorization-kubeconfig=FILE

\`npx gatehouse-extension build --image=registry.example.com/${name}:0.1.0\` writes an image and the manifests to run it in a
cluster into \`deploy/\`, and prints what to do with them.

| file                  | content                                                        |
| --------------------- | -------------------------------------------------------------- |
| \`src/group.ts\`        | the API group and its version: put a domain of yours here      |
| \`src/meetings.ts\`     | a kind that is stored: schema, columns, a function for checks  |
| \`src/cities.ts\`       | a kind that is computed when it is read: functions             |
| \`src/program.ts\`      | the server: its name and the kinds that it serves              |
| \`src/main.ts\`         | the program for a cluster                                      |
| \`src/dev.ts\`          | the program for development                                    |
| \`src/program.test.ts\` | requests to the server and their answers                       |

A new kind is a file like \`src/meetings.ts\`, named in \`src/program.ts\`.
`;
}
