/** Makes something; if that fails, undoes something else first. */
export async function orElse<Made>(make: () => Made | Promise<Made>, undo: () => Promise<void>): Promise<Made> {
  try {
    return await make()
  } catch (error) {
    await undo()
    throw error
  }
}
