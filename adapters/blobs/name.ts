const namePattern = /^[a-z0-9_][a-z0-9_.-]{0,100}\/[a-z0-9_][a-z0-9_.-]{0,100}$/

/** Throws for a name that could lead somewhere else. */
export function refuseOtherName(name: string): void {
  if (!namePattern.test(name)) throw new Error('A blob has a name that is not accepted.')
}
