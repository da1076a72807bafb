/** A Deployment of the usual shape, as people write it. */
export const webDeployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: web
        image: nginx:1.25
        ports:
        - containerPort: 80
        resources:
          requests:
            cpu: 500m
            memory: 64Mi
`;

/** `count` ConfigMaps named `item-0`, `item-1`, ..., with the labels `tier` (even or odd) and `number`. */
export function configMaps(count: number): string {
  return Array.from(
    { length: count },
    (_, number) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: item-${number}
  labels:
    tier: ${number % 2 === 0 ? "even" : "odd"}
    number: "${number}"
data:
  key: value-${number}
`,
  ).join("---\n");
}
