/** Makes the namespace of a team, in which no pod may do more than the restricted profile allows. Returns its name. */
export async function makeTeamNamespace(coreApi, team) {
  const labels = { team, "pod-security.kubernetes.io/enforce": "restricted" };
  const { metadata } = await coreApi.createNamespace({ body: { metadata: { name: `team-${team}`, labels } } });
  return metadata.name;
}
