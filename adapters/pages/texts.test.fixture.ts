import type { Test } from 'tap'
import { type PageLanguage, pageLanguages } from '../../engine/index.ts'

/** Texts of an area in one language: fixed ones, and functions that make them. */
type Texts = object

const numbers = [0, 1, 2, 5, 11]

/** Every text of an area by its path; functions as they are. */
function leavesOf(texts: Texts, path = ''): [path: string, leaf: unknown][] {
  return Object.entries(texts).flatMap(([key, value]): [string, unknown][] =>
    typeof value === 'object' ? leavesOf(value, `${path}.${key}`) : [[`${path}.${key}`, value]],
  )
}

/** Calls a function of texts with an argument for each of its parameters. */
function made(leaf: unknown, argument: unknown): string {
  return typeof leaf === 'function' ? String(leaf(argument, argument, argument)) : String(leaf)
}

/**
 * Checks that each language has all texts: none is empty, and each shows its numbers. One and two may be words, where they are
 * other words than those of more.
 */
export function complete(t: Test, byLanguage: Readonly<Record<PageLanguage, Texts>>): void {
  const paths = leavesOf(byLanguage.en).map(([path]) => path)
  for (const language of pageLanguages) {
    const leaves = leavesOf(byLanguage[language])
    t.same(new Set(leaves.map(([path]) => path)), new Set(paths), `${language} has the texts of English`)
    for (const [path, leaf] of leaves) {
      if (typeof leaf !== 'function') t.match(leaf, /\S/, `${language}${path}`)
      else for (const number of numbers) t.ok(shows(leaf, number), `${language}${path}: ${made(leaf, number)}`)
    }
  }
}

function shows(leaf: unknown, number: number): boolean {
  const text = made(leaf, number)
  if (text.replace(/\D/g, '').includes(String(number))) return true
  return (number === 1 || number === 2) && numbers.every((other) => other === number || made(leaf, other) !== text)
}

/** What is fixed in all texts of an area. */
function partsOf(texts: Texts): readonly string[] {
  const parts = leavesOf(texts).flatMap(([, leaf]) => made(leaf, '\0').split('\0'))
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
