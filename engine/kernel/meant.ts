/** Longer words are not compared: comparing takes as many steps as both have letters together. */
const longest = 40

/** The words that are usual for a name elsewhere. */
type OtherWords = Readonly<Record<string, readonly string[]>>

/** The name that was probably meant by a word: one that begins like it, or differs in few letters. */
export function meantBy(word: string, names: readonly string[]): string | undefined {
  return meantAmong(names)(word)
}

/**
 * Makes a function that finds the name that was probably meant by a word: the same in another spelling
 * (`trackingNumber`), one that the word is usual for elsewhere, one that begins like it, or one that differs in few
 * letters. Where a word means several names together, such as `geo`, it is all of them.
 */
export function meantAmong(
  names: readonly string[],
  otherWords: OtherWords = {},
): (word: string) => string | undefined {
  const spellings = names.map((name) => ({ name, letters: plain(name) }))
  const same = new Map(spellings.map(({ name, letters }) => [letters, name]))
  const usual = new Map<string, string>()
  for (const { name } of spellings)
    for (const word of Object.hasOwn(otherWords, name) ? (otherWords[name] ?? []) : [])
      usual.set(plain(word), [usual.get(plain(word)) ?? [], name].flat().join(', '))
  return (word) => {
    const letters = word.length > longest ? '' : plain(word)
    if (letters === '') return undefined
    return same.get(letters) ?? usual.get(letters) ?? beginning(letters, spellings) ?? nearest(letters, spellings)
  }
}

/** A name with the letters that are compared. */
interface Spelling {
  readonly name: string
  readonly letters: string
}

/** The letters and digits of a name, without case and what divides its words. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** The only name that begins like a word, or that the word begins like; a name of two letters begins too many words. */
function beginning(word: string, spellings: readonly Spelling[]): string | undefined {
  if (word.length < 2) return undefined
  const found = spellings.filter(
    ({ letters }) => letters.startsWith(word) || (letters.length > 2 && word.startsWith(letters)),
  )
  return found.length === 1 ? found[0]?.name : undefined
}

function nearest(word: string, spellings: readonly Spelling[]): string | undefined {
  const most = word.length < 5 ? 1 : 2
  const near = spellings
    .filter(({ letters }) => Math.abs(letters.length - word.length) <= most)
    .map(({ name, letters }) => ({ name, steps: distance(word, letters) }))
    .filter(({ steps }) => steps <= most)
  return near.sort((one, other) => one.steps - other.steps)[0]?.name
}

/** How many letters are added, left out, changed, or swapped with the next one. */
function distance(one: string, other: string): number {
  let rows: readonly (readonly number[])[] = [Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (const [at, letter] of [...one].entries()) {
    const [last = [], beforeLast = []] = rows
    const row = [at + 1]
    for (let to = 0; to < other.length; to++) {
      const isSwapped = at > 0 && to > 0 && letter === other[to - 1] && one[at - 1] === other[to]
      const least = Math.min(
        (last[to + 1] ?? 0) + 1,
        (row[to] ?? 0) + 1,
        (last[to] ?? 0) + (letter === other[to] ? 0 : 1),
      )
      row.push(isSwapped ? Math.min(least, (beforeLast[to - 1] ?? 0) + 1) : least)
    }
    rows = [row, last]
  }
  return rows[0]?.at(-1) ?? 0
}
