/** The name with the fewest edits, if they are at most a third of its letters; the first one of several. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const short = given.slice(0, 100)
  const [nearest] = names
    .map((name) => ({ name, edits: editsBetween(short, name) }))
    .filter(({ name, edits }) => edits <= name.length / 3)
    .sort((a, b) => a.edits - b.edits)
  return nearest?.name
}

/** The number of inserted, removed and changed letters (Levenshtein). */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1]
    for (let place = 1; place <= other.length; place++) {
      const changed = (row[place - 1] ?? 0) + (letter === other[place - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[place] ?? 0) + 1, (next[place - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
