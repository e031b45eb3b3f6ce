/** What is found without waiting, or undefined if that fails: the next one that asks in the usual way gets the error. */
export function unlessFailing<Found>(find: () => Found): Found | undefined {
  try {
    return find()
  } catch {
    return undefined
  }
}
