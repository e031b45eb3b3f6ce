import { type JsonSchema, jsonSchemaOf } from '../../../adapters/http/schema.ts'
import { publicEventPaths, timelineSchema } from '../../../engine/index.ts'
import { code, page, plain, table } from '../markdown.ts'
import { meanings } from '../meanings.ts'
import { type Member, membersOf, type NameOf } from '../members.ts'

/** The named schemas of the description, and the pages of those that several documents refer to. */
export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  /** The file of the page that describes an object, by its name. */
  readonly pages: ReadonlyMap<string, string>
}

/** The files of families, each with its operations. */
type Families = ReadonlyMap<string, readonly unknown[]>

/** What the page of timelines explains in more words than its schema has. */
const explainedApart: Readonly<Record<string, string>> = {
  Timeline: 'timeline',
  TrackingEvent: 'event',
  IngestDocument: 'ingest-document',
}

/** What every refusal is made of, which the list of operations says once. */
const refusal = ['ErrorAnswer', 'ErrorFinding', 'ErrorCode']

/**
 * The named schemas of a description. Those that other schemas refer to are objects, which are described on the page of the
 * family with most operations that use them; the others are of one operation.
 */
export function componentsIn({ components }: JsonSchema, families: Families): Components {
  const { schemas } = components as { readonly schemas: Readonly<Record<string, JsonSchema>> }
  const uses = new Map<string, Map<string, number>>()
  for (const [file, operations] of families)
    for (const operation of operations)
      for (const name of usedIn(operation, schemas)) {
        const counts = uses.get(name) ?? new Map<string, number>()
        uses.set(name, counts.set(file, (counts.get(file) ?? 0) + 1))
      }
  const within = new Set(Object.values(schemas).flatMap(referencesIn))
  const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)
  const shared = [...uses].filter(([name, counts]) => within.has(name) || total(counts) > 1)
  const most = (counts: ReadonlyMap<string, number>) =>
    [...counts].reduce((one, two) => (two[1] > one[1] ? two : one))[0]
  return { schemas, pages: new Map(shared.sort().map(([name, counts]) => [name, most(counts)])) }
}

/** The names of the schemas that an operation refers to, directly or through others. */
function usedIn(operation: unknown, schemas: Components['schemas']): ReadonlySet<string> {
  const used = new Set<string>()
  const use = (name: string) => {
    if (used.has(name) || refusal.includes(name) || name in explainedApart) return
    used.add(name)
    referencesIn(schemas[name]).forEach(use)
  }
  referencesIn(operation).forEach(use)
  return used
}

function referencesIn(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(referencesIn)
  if (typeof part !== 'object' || part === null) return []
  const { $ref, ...beside } = part as JsonSchema
  const own = typeof $ref === 'string' ? [referredTo($ref)] : []
  return [...own, ...Object.values(beside).flatMap(referencesIn)]
}

function referredTo(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** A schema, or the named one that it refers to. */
export function resolved(schema: JsonSchema, { schemas }: Components): JsonSchema {
  return typeof schema.$ref === 'string' ? (schemas[referredTo(schema.$ref)] ?? {}) : schema
}

/** Links the schemas that have a part on one of the pages. */
export function naming({ pages }: Components): NameOf {
  return ({ $ref }) => {
    if (typeof $ref !== 'string') return undefined
    const name = referredTo($ref)
    const [anchor, file] = [explainedApart[name], pages.get(name)]
    if (anchor !== undefined) return `[${name}](timeline.md#${anchor})`
    return file && `[${name}](${file}#${name.toLowerCase()})`
  }
}

const timeline = jsonSchemaOf(timelineSchema)
const event = (timeline.properties as { readonly events: { readonly items: JsonSchema } }).events.items
const byValue: NameOf = (schema) => (schema !== timeline && isSame(schema, event) ? '[event](#event)' : undefined)

/** A timeline, its events and what is ingested. Every member of a timeline and of its events must be explained. */
export function timelinePage(): string {
  const unused = new Set(Object.keys(meanings))
  const explained = (members: readonly Member[], prefix: string) =>
    members.map((member) => {
      const key = prefix + member.path in meanings ? prefix + member.path : member.path
      const meaning = meanings[key]
      if (meaning === undefined) throw new Error(`docs/generate/meanings.ts does not explain ${key}.`)
      unused.delete(key)
      return { ...member, meaning }
    })
  const ofTimeline = explained(membersOf(timeline, byValue), '')
  const ofEvent = explained(membersOf(event, byValue), 'event.')
  if (unused.size > 0)
    throw new Error(`docs/generate/meanings.ts explains what is not there: ${[...unused].join(', ')}.`)
  const parts = [
    'Unlisted members are refused. *Required* means required by the schema; the validator requires more.',
    memberTable(ofTimeline),
    '## Event',
    'Without a postal code, a link or a token, a reader sees the members marked as *public* ([more](../../how-to/share-timelines.md)).',
    memberTable(ofEvent, publicEventPaths),
    '## Ingest document',
    `A [timeline](#timeline); \`{"timelines": [...]}\` with timelines or single events; or a single event: the
members of an [event](#event) with \`subject\` and, optionally, \`profile\` beside them. As NDJSON: one of these a line,
usually a single event.`,
  ]
  return page('Timeline', ['engine/domains/tracking/schema.ts', 'docs/generate/meanings.ts'], parts, 3)
}

/** The parts of a page that describe its objects. */
export function objectParts(file: string, components: Components): readonly string[] {
  const names = [...components.pages].flatMap(([name, of]) => (of === file ? name : []))
  const nameOf = naming(components)
  return names.flatMap((name) => {
    const schema = components.schemas[name] ?? {}
    const { description } = schema
    const members = membersOf(schema, nameOf)
    return [
      `## ${name}`,
      ...(typeof description === 'string' ? [plain(description)] : []),
      ...(members.length === 0 ? [] : [memberTable(members)]),
    ]
  })
}

/** A table of members; `open` lists the paths that the public sees, if that differs. */
export function memberTable(members: readonly Member[], open?: readonly string[]): string {
  return table(
    ['member', 'type', 'limits', 'required', ...(open ? ['public'] : []), 'meaning'],
    members.map(({ path, type, limits, required, meaning }) => [
      code(path),
      type,
      limits,
      required ? 'yes' : '',
      ...(open ? [open.includes(path) ? 'yes' : ''] : []),
      meaning,
    ]),
  )
}

function isSame(one: JsonSchema, two: JsonSchema): boolean {
  return JSON.stringify(one) === JSON.stringify(two)
}
