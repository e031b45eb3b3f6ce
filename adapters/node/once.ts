/**
 * What is made when it is first asked for, once for all who ask meanwhile. A failure reaches those who wait, and the next
 * one to ask has it tried again.
 */
export function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let making: Promise<Made> | undefined
  return () => {
    making ??= make().catch((error: unknown) => {
      making = undefined
      throw error
    })
    return making
  }
}
