import { folded } from './folded.ts'
import { postalRegions } from './postal-regions.ts'
import { regionRows } from './region-rows.ts'

/** The regions of a country: by everything that they are called, and which one each is part of. */
interface Regions {
  readonly byText: ReadonlyMap<string, string>
  readonly parents: ReadonlyMap<string, string>
  /** The name of each for messages, by its code. */
  readonly names: ReadonlyMap<string, string>
}

const read = new Map<string, Regions | undefined>()

function regionsOf(country: string): Regions | undefined {
  if (!read.has(country)) read.set(country, regionsIn(regionRows[country]))
  return read.get(country)
}

function regionsIn(text: string | undefined): Regions | undefined {
  if (text === undefined) return undefined
  const rows = text
    .trim()
    .split('\n')
    .map((line) => {
      const [head = '', ...names] = line.split('|')
      const [code = '', parent] = head.split('<')
      return { code, parent, names }
    })
  const byText = new Map(rows.map(({ code }) => [folded(code), code]))
  // A name of two regions means the smaller one: Murcia is the province, which is all of its region.
  const smallFirst = [...rows].sort(
    (one, other) => Number(one.parent === undefined) - Number(other.parent === undefined),
  )
  for (const { code, names } of smallFirst)
    for (const name of names.map(folded)) if (!byText.has(name)) byText.set(name, code)
  return {
    byText,
    parents: new Map(rows.flatMap(({ code, parent }) => (parent === undefined ? [] : [[code, parent] as const]))),
    names: new Map(rows.map(({ code, names: [name = code] }) => [code, name])),
  }
}

/** The countries whose regions are known. */
export const countriesWithRegions: readonly string[] = Object.keys(regionRows)

/** Addresses of these countries name other areas, too, such as counties: what is not known there is kept as it is. */
const open: readonly string[] = ['GB']

/** Whether the regions of a country are known, so that another text names none. */
export function hasRegions(country: string): boolean {
  return Object.hasOwn(regionRows, country) && !open.includes(country)
}

const kinds = /\b(province|state|territory|provincia|provincia de|estado|bundesland|land)\b( (of|de|di|do|da)\b)?/gi

/** The code of a region in its country, without that of the country: ON for on, Ontario, CA-ON, or “Ontario, ON”. */
export function regionOf(country: string, text: string): string | undefined {
  const regions = regionsOf(country)
  if (regions === undefined || text.length > 200) return undefined
  if (regions.names.has(text)) return text
  const named = text.trim().replace(new RegExp(`^${country}[-_:/ ]+`, 'i'), '')
  const known = (name: string) => regions.byText.get(folded(name))
  const parts = named.split(/[,/()]/).filter((part) => part.trim() !== '')
  return (
    known(named) ?? known(parts.toReversed().join(' ')) ?? known(named.replace(kinds, '')) ?? ofParts(parts.map(known))
  )

  function ofParts(codes: readonly (string | undefined)[]): string | undefined {
    const smallest = codes.find((code) => codes.every((other) => code !== undefined && isWithin(country, code, other)))
    return smallest
  }
}

/** Whether a region is another one, or part of it. */
export function isWithin(country: string, region: string, other: string | undefined): boolean {
  return region === other || (other !== undefined && regionsOf(country)?.parents.get(region) === other)
}

/** The region whose code or name is most like a text, for a message. */
export function regionLike(country: string, text: string): string {
  const { byText, names } = regionsOf(country) ?? {
    byText: new Map<string, string>(),
    names: new Map<string, string>(),
  }
  const wanted = folded(text).slice(0, 40)
  const measured = [...byText].map(([name, code]) => ({ code, far: distance(name, wanted) }))
  const { code } = measured.reduce((best, one) => (one.far < best.far ? one : best), { code: '', far: Infinity })
  return `${code} (${names.get(code) ?? code})`
}

/** How many letters have to be changed, added or left out (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (let index = 1; index <= other.length; index++) {
      const replaced = (row[index - 1] ?? 0) + (other[index - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

const patterns = new Map<string, readonly (readonly [region: string, begins: RegExp])[]>()

/** The regions that a postal code may be of: one as a rule, several at a border, and none where it does not tell. */
export function regionsAt(country: string, postalCode: string): readonly string[] {
  const rows =
    patterns.get(country) ??
    Object.entries(postalRegions[country] ?? {}).map(
      ([region, begins]) => [region, new RegExp(`^(?:${begins})`)] as const,
    )
  patterns.set(country, rows)
  return rows.filter(([, begins]) => begins.test(postalCode)).map(([region]) => region)
}
