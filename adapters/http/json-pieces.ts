/** A list with more items is written item by item. */
const shortList = 50

/** A list that is nested deeper is not looked for. */
const maxDepth = 6

/** The text of `JSON.stringify` for a JSON value in pieces: one for each item of a long list. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || !holdsLongList(value, maxDepth)) return yield JSON.stringify(value)
  const isList = Array.isArray(value)
  let before = isList ? '[' : '{'
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined && !isList) continue
    yield isList ? before : `${before}${JSON.stringify(name)}:`
    yield* jsonPieces(item ?? null)
    before = ','
  }
  yield isList ? ']' : '}'
}

function holdsLongList(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth === 0) return false
  if (Array.isArray(value)) return value.length > shortList || value.some((item) => holdsLongList(item, depth - 1))
  for (const name in value) if (holdsLongList(value[name as keyof typeof value], depth - 1)) return true
  return false
}
