import * as v from 'valibot'
import { type Context, en, type Operation, operation } from '../../../engine/index.ts'
import { guides } from '../guides.ts'
import { addressOf } from '../resource.ts'

const entryKinds = ['operation', 'error', 'status_code', 'how_to'] as const

/** Something that can be found. */
interface Entry {
  readonly kind: (typeof entryKinds)[number]
  readonly name: string
  readonly title: string
  readonly text: string
  /** Where the whole of it is. */
  readonly where: string
}

/** Searches the operations, the error codes, the codebook and the how-to pages. */
export function searchReference(operations: readonly Operation[]): Operation {
  let index: Index | undefined
  return operation({
    name: 'search_reference',
    summary:
      'Search the operations, the error codes, the status codes of the codebook, and the how-to pages (English).',
    scopes: [],
    risk: 'low',
    mcp: { title: 'Search the reference', server: 'developer', idempotent: true },
    input: v.strictObject({
      query: v.pipe(v.string(), v.minLength(1), v.maxLength(200), v.description('A few words, or a code.')),
      kind: v.exactOptional(v.pipe(v.picklist(entryKinds), v.description('Only entries of this kind.'))),
      limit: v.exactOptional(
        v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(25), v.description('Default: 10.')),
      ),
    }),
    output: v.strictObject({
      result: v.literal(true),
      total: v.number(),
      hits: v.array(
        v.strictObject({
          kind: v.picklist(entryKinds),
          name: v.string(),
          title: v.string(),
          excerpt: v.string(),
          where: v.pipe(v.string(), v.description('The tool or the resource that has the whole of it.')),
        }),
      ),
    }),
    errors: [],
    handle: async ({ profiles }, { query, kind, limit = 10 }) => {
      index ??= indexOf(entriesOf(operations, profiles))
      const words = [...new Set(wordsIn(query))].slice(0, 16)
      const found = rank(index, words).filter((one) => kind === undefined || one.kind === kind)
      const hits = found.slice(0, limit).map(({ text, ...entry }) => ({ ...entry, excerpt: excerptAt(text, words) }))
      return { result: true, total: found.length, hits }
    },
  })
}

function entriesOf(operations: readonly Operation[], profiles: Context['profiles']): readonly Entry[] {
  return [
    ...operations.flatMap(entryOfOperation),
    ...Object.entries(en).map(([code, message]): Entry => {
      const raising = operations.filter(({ errors }) => errors.some((one) => one === code)).map(({ name }) => name)
      const by = raising.length === 0 ? '' : ` Refusal of: ${raising.join(', ')}.`
      const where = raising[0] === undefined ? 'any operation may refuse with it' : `get_operation name=${raising[0]}`
      return { kind: 'error', name: code, title: code, text: `${message}${by}`, where }
    }),
    ...profiles.flatMap(({ name: profile, codes }) =>
      Object.entries(codes).map(([code, { phase, meaning, phrases }]): Entry => {
        const text = `${meaning} ${phrases.en}. Phase: ${phase}.`
        return {
          kind: 'status_code',
          name: code,
          title: `otep:${profile}:${code}`,
          text,
          where: `otep://codebook/${profile}`,
        }
      }),
    ),
    ...guides().flatMap(({ name, title, text }) => {
      const [before = '', ...sections] = text.split(/^## /m)
      const where = addressOf({ uri: 'otep://how-to/{page}' }, { page: name })
      return [`${title}\n${before.replace(/^# .*$/m, '')}`, ...sections.map((one) => `${title}: ${one}`)].map(
        (part): Entry => {
          const [heading = '', ...lines] = part.split('\n')
          return { kind: 'how_to', name, title: heading, text: lines.join('\n').trim(), where }
        },
      )
    }),
  ]
}

function entryOfOperation({ name, summary, rest, mcp, tag, scopes, input }: Operation): readonly Entry[] {
  if (rest === undefined) return []
  const { entries = {} } = input as { readonly entries?: object }
  const text = [
    `${summary} ${rest.method} ${rest.path}.`,
    ...(mcp === undefined ? [] : ['A tool for agents.']),
    ...(scopes.length === 0 ? [] : [`Scopes: ${scopes.join(', ')}.`]),
    `Input: ${Object.keys(entries).join(', ')}.`,
    ...(tag === undefined ? [] : [`Group: ${tag}.`]),
  ]
  return [{ kind: 'operation', name, title: name, text: text.join(' '), where: `get_operation name=${name}` }]
}

/** The entries, and for each word how much an entry is about it. */
interface Index {
  readonly entries: readonly Entry[]
  readonly weights: ReadonlyMap<string, ReadonlyMap<number, number>>
}

/** How much more a word in the title counts than one in the text. */
const titleWeight = 5

function indexOf(entries: readonly Entry[]): Index {
  const weights = new Map<string, Map<number, number>>()
  for (const [place, { name, title, text }] of entries.entries()) {
    const counted = [
      ...wordsIn(`${name} ${title}`).map((word) => [word, titleWeight] as const),
      ...wordsIn(text).map((word) => [word, 1] as const),
    ]
    for (const [word, weight] of counted) {
      const of = weights.get(word) ?? new Map<number, number>()
      of.set(place, (of.get(place) ?? 0) + weight)
      weights.set(word, of)
    }
  }
  return { entries, weights }
}

/** The entries with any of the words, best first: rare words count more, and repetitions less and less. */
function rank({ entries, weights }: Index, words: readonly string[]): readonly Entry[] {
  const scores = new Map<number, number>()
  for (const word of words) {
    const places = weights.get(word) ?? new Map<number, number>()
    const rarity = Math.log(1 + entries.length / Math.max(1, places.size))
    for (const [place, weight] of places) scores.set(place, (scores.get(place) ?? 0) + rarity * Math.log2(1 + weight))
  }
  const best = [...scores].sort(([one, a], [other, b]) => b - a || one - other)
  return best.flatMap(([place]) => entries[place] ?? [])
}

/** Its words in lower case, without the plural; `otep_ingest` is also `otep` and `ingest`. */
function wordsIn(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  return words
    .flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : word))
    .filter(Boolean)
    .map(singular)
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/(?<!s)s$/, '') : word
}

/** Some lines around the first of the words. */
function excerptAt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const start = Math.max(0, Math.min(...places, text.length) - 80)
  return text.slice(places.length === 0 ? 0 : start).slice(0, 320)
}
