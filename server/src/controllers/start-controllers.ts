export async function startControllers(_o: Record<string, any>): Promise<{ stopped: Promise<void> }> {
  return { stopped: Promise.resolve() };
}
