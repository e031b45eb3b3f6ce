import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import type { GenericSchema } from 'valibot'
import * as v from 'valibot'
import { everybody, type Field, type Table } from '../entity/field.ts'
import { reducerOf } from '../entity/machine.ts'
import { recordOf, recordSchemaOf } from '../entity/record.ts'
import { recorded } from '../entity/recorded.ts'
import { urlFields } from '../kernel/channel.ts'
import { markOf } from '../kernel/prices.ts'
import { id, number } from '../kernel/schemas.ts'
import { engineFolder } from '../testing/files.test.fixture.ts'
import { catalogues, domains, en, entities } from './of-all.ts'

const codes = Object.keys(en)

test('no code has two texts', async (t) => {
  const all = catalogues.flatMap((catalogue) => Object.values(catalogue).flatMap((texts) => Object.keys(texts)))
  t.strictSame([...all].sort(), [...new Set(all)].sort())
})

test('the catalogue of every folder is spoken: no domain forgets to hand its own in', async (t) => {
  const files = readdirSync(engineFolder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /messages\W?.*\.ts$/.test(path),
  )
  const known = files.flatMap((path) => {
    const text = readFileSync(join(engineFolder, path), 'utf8')
    if (!text.includes('satisfies Catalogue')) return []
    return [...text.matchAll(/^ {4}(\w+):/gm)].map(([, code]) => code)
  })
  t.ok(known.length > 200)
  t.strictSame([...known].sort(), [...codes].sort())
})

test('whoever imports the types of the engine gets the codes of every domain', async (t) => {
  const folder = join(engineFolder, 'domains')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const adding = files.filter((path) => readFileSync(join(folder, path), 'utf8').includes('interface Codes extends'))
  const isExported = (path: string) => {
    const parts = path.replaceAll('\\', '/').split('/')
    return parts.slice(1).some((_, place) => {
      const index = join(folder, ...parts.slice(0, place + 1), 'index.ts')
      const name = parts.slice(place + 1).join('/')
      return existsSync(index) && readFileSync(index, 'utf8').includes(`from './${name}'`)
    })
  }
  t.ok(adding.length > 10)
  t.strictSame(
    adding.filter((path) => !isExported(path)),
    ['domains.test.ts'],
  )
})

test('each webhook event has a name of its own, an example as its schema says, and a URL field of its channel', async (t) => {
  const eventTypes = domains.flatMap((domain) => domain.webhookEventTypes ?? [])
  t.equal(new Set(eventTypes.map(({ name }) => name)).size, eventTypes.length)
  for (const { name, data, example, field, channel } of eventTypes) {
    t.ok(v.is(data, example), name)
    if (field !== undefined) t.equal(urlFields[field], channel, name)
  }
})

test('each source of webhook events reads events that a domain records', async (t) => {
  for (const { category, types } of domains.flatMap(({ webhookEventSources = [] }) => webhookEventSources)) {
    const recorded = domains.flatMap(({ events }) => Object.keys(events[category] ?? {}))
    const unknown = types.filter((type) => !recorded.includes(type))
    t.strictSame(unknown, [], category)
  }
})

/** The moves of a table by which a caller or a rule sets a field. */
function movesThatRecord({ moves }: Table, { set }: Field): readonly string[] {
  const recording = ['required', 'optional', 'defaulted', 'kept', 'engine', 'sometimes']
  return Object.keys(moves).filter((move) => recording.includes(String(set[move])))
}

for (const table of entities) {
  const fields = Object.entries(table.fields)
  const personal = fields.filter(([, field]) => field.personal)

  test(`given random values of the personal fields of a ${table.noun}, then only its personal part has them`, async (t) => {
    for (const [name, field] of personal)
      for (const move of movesThatRecord(table, field)) {
        const token = `token-${randomUUID()}`
        const { personal: sealed, ...open } = recorded(table, move, { [name]: token })
        t.same(sealed, { [name]: token }, `${move} seals ${name}`)
        t.notMatch(JSON.stringify(open), token, `${move} tells ${name} nowhere else`)
      }
  })

  test(`given a ${table.noun}, when it is read, then each reader sees the fields that the table shows it`, async (t) => {
    const examples = Object.fromEntries(fields.map(([name, { example }]) => [name, example]))
    for (const [name, field] of fields.filter(([, { of, beside }]) => of === undefined && !beside))
      for (const reader of everybody) {
        const token = `token-${randomUUID()}`
        const record = recordOf(reducedTo(table, name), { ...examples, [name]: token }, { reader, timeZone: 'UTC' })
        const isSeen = JSON.stringify(record).includes(token)
        t.equal(isSeen, field.shownTo.includes(reader), `${reader} and ${name}`)
      }
  })

  test(`given a ${table.noun} with prices, when its schema is read, then each price has the mark of its family`, async (t) => {
    const priced = fields.filter(
      ([, { price, shownTo, shownAs }]) => price !== 'none' && shownTo.length > 0 && !shownAs,
    )
    const { entries } = recordSchemaOf(table)
    for (const [name, { price }] of priced) t.equal(markOf(entries[name] as GenericSchema), price, name)
  })
}

/** A table with one field, so that the values of others cannot be in the way. */
function reducedTo(table: Table, name: string): Table {
  return { ...table, fields: Object.fromEntries(Object.entries(table.fields).filter(([one]) => one === name)) }
}

test('given entities that can be erased, when they are, then no personal field of the state is left', async (t) => {
  const erasable = entities.filter(({ moves }) => Object.values(moves).some(({ erases }) => erases))
  t.ok(erasable.length > 0)
  for (const table of erasable) {
    const evolve = reducerOf(table)
    const [erase] = Object.entries(table.moves).filter(([, { erases }]) => erases)
    const personal = Object.entries(table.fields).filter(([, field]) => field.personal)
    const state = Object.fromEntries(personal.map(([name]) => [name, `token-${randomUUID()}`]))
    const before = { ...state, status: Object.keys(table.statuses)[0] ?? '', isErased: false }
    const event = { type: erase?.[1].event ?? '', data: { at: '2026-06-10T10:00:00.000Z', by: 1, ...erase?.[1].says } }
    const after = evolve(before as never, event)
    t.notMatch(JSON.stringify(after), 'token-', table.noun)
    t.match(after, { isErased: true }, table.noun)
  }
})

/** A schema, as far as the ids in it are of interest. */
interface Shape {
  readonly type: string
  readonly wrapped?: GenericSchema
  readonly pipe?: readonly GenericSchema[]
  readonly entries?: Readonly<Record<string, GenericSchema>>
  readonly item?: GenericSchema
  readonly options?: readonly GenericSchema[]
}

/** Whether a schema is this one, or is made of it. */
function isMadeOf(schema: GenericSchema, wanted: GenericSchema): boolean {
  if (schema === wanted) return true
  const { wrapped, pipe: [first] = [] } = schema as unknown as Shape
  return [wrapped, first].some((inner) => inner !== undefined && inner !== schema && isMadeOf(inner, wanted))
}

/** The paths of the ids that an input takes: members of the type `id`, and numbers and texts called ids that are no external ones. */
function idPaths(schema: GenericSchema, path: readonly string[] = []): readonly string[] {
  if (isMadeOf(schema, id)) return [path.join('.')]
  if (isMadeOf(schema, number)) return []
  const { type, wrapped, entries, item, options } = schema as unknown as Shape
  if (wrapped !== undefined) return idPaths(wrapped, path)
  if (entries !== undefined)
    return Object.entries(entries).flatMap(([name, member]) => idPaths(member, [...path, name]))
  if (item !== undefined) return idPaths(item, [...path, '*'])
  if (['union', 'variant'].includes(type)) return (options ?? []).flatMap((option) => idPaths(option, path))
  const isNamedSo = /^(?!external_)(.*_)?ids?$/.test(path.filter((member) => member !== '*').at(-1) ?? '')
  return isNamedSo && ['number', 'string'].includes(type) ? [path.join('.')] : []
}

const operations = domains.flatMap((domain) => domain.operations)

test('every id that an operation takes says what it names, so that the door refuses what the caller may not see', async (t) => {
  const undeclared = operations.flatMap(({ name, input, ids = {} }) =>
    [...new Set(idPaths(input))].filter((path) => ids[path] === undefined).map((path) => `${name}: ${path}`),
  )
  t.strictSame(undeclared, [])
})

test('an operation names by id only what its input takes', async (t) => {
  for (const { name, input, ids = {} } of operations)
    for (const path of Object.keys(ids)) t.ok(hasPath(input, path.split('.')), `${name}: ${path}`)
})

/** Whether a schema has a member at a path, where `*` is an item of a list. */
function hasPath(schema: GenericSchema, path: readonly string[]): boolean {
  const [member, ...rest] = path
  if (member === undefined) return true
  const { type, wrapped, entries = {}, item, options = [] } = schema as unknown as Shape
  if (wrapped !== undefined) return hasPath(wrapped, path)
  if (['union', 'variant'].includes(type)) return options.some((option) => hasPath(option, path))
  const inner = member === '*' ? item : entries[member]
  return inner !== undefined && hasPath(inner, rest)
}

test('an id that a path of HTTP names is refused by the door, unless a rule says more', async (t) => {
  for (const { name, ids = {}, rest } of operations)
    for (const [, member = ''] of rest?.path.matchAll(/\{(\w+)\}/g) ?? []) {
      const rule = ids[member]
      t.ok(rule === undefined || typeof rule !== 'string' || ['rule', 'part'].includes(rule), `${name}: ${member}`)
    }
})

test('what is said of an operation names only operations that exist', async (t) => {
  const names = new Set(operations.map(({ name }) => name))
  const told = operations.flatMap(({ name, summary, mcp }) =>
    [summary, mcp?.hint ?? ''].flatMap((text) =>
      [...text.matchAll(/\b(?:create|get|list|set|show|uniorder|update)_[a-z_]+\b/g)].map(
        ([word]) => [name, word] as const,
      ),
    ),
  )
  t.ok(told.length > 3)
  t.same(
    told.filter(([, word]) => !names.has(word)),
    [],
  )
})
