import type { Test } from 'tap'

/** Texts of an area in one language: fixed ones, and functions that make them. */
type Texts = object

/** Every text of an area by its path; functions as they are. */
function leavesOf(texts: Texts, path = ''): [path: string, leaf: unknown][] {
  return Object.entries(texts).flatMap(([key, value]): [string, unknown][] =>
    typeof value === 'object' ? leavesOf(value, `${path}.${key}`) : [[`${path}.${key}`, value]],
  )
}

/** What is fixed in all texts of an area. */
function partsOf(texts: Texts): readonly string[] {
  const parts = leavesOf(texts).flatMap(([, leaf]) => String(leaf).split(/\{.*\}/))
  return parts.map((text) => text.trim())
}

/** Checks that a page, attributes included, has texts of its language, and none of the English ones that are longer than a word. */
export function untold(t: Test, html: string, texts: Texts, english: Texts, name: string): void {
  const foreign = partsOf(english).filter((text) => text.length > 12 && text.includes(' '))
  t.ok(foreign.length > 10, 'there are texts to look for')
  t.ok(
    partsOf(texts).some((text) => text.length > 3 && html.includes(text)),
    `${name} has texts of its own`,
  )
  t.same(
    foreign.filter((text) => html.includes(text)),
    [],
    `${name} has no English text`,
  )
}
