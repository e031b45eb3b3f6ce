import { type BaseIssue, type GenericSchema, getDotPath, type InferOutput, safeParse } from 'valibot'
import { type Finding, pathTo } from './finding.ts'
import type { Members } from './members.ts'
import { type Code, en, type Params } from './messages/index.ts'

/** At most this many findings are listed for one input, so that a hostile one cannot ask for a larger answer. */
export const maxFindings = 1000

/** The value that the schema makes of an input, or everything that is wrong with it, in one pass. */
export type Parsed<Schema extends GenericSchema> =
  | { readonly value: InferOutput<Schema>; readonly findings?: undefined }
  | { readonly value?: undefined; readonly findings: readonly Finding[] }

/** Parses an input by a valibot schema. Members that a strict object does not know are each reported. */
export function parse<Schema extends GenericSchema>(schema: Schema, input: unknown): Parsed<Schema> {
  const oversized = oversizedLists(schema as Shape, input, '')
  if (oversized.length > 0) return { findings: oversized }
  const result = safeParse(schema, input)
  const lists = listsForObjects(schema as Shape, input, '')
  if (result.success && lists.length === 0) return { value: result.output }
  const misplaced = new Set(lists.map(({ path }) => path))
  const issues = (result.issues ?? []).filter((issue) => !isBelowOne(issue, misplaced)).flatMap(findingOf)
  return { findings: cut([...lists, ...unknownMembers(schema as Shape, input, ''), ...issues]) }
}

/** The findings, or the first of them and a note that there are more. */
export function cut(findings: readonly Finding[], limit: number = maxFindings): readonly Finding[] {
  if (findings.length <= limit) return findings
  return [...findings.slice(0, limit), { path: '', code: 'findings_cut', params: { limit } }]
}

/** As much of a valibot schema as the walk for unknown members needs. */
interface Shape {
  readonly type: string
  readonly entries?: Readonly<Record<string, Shape>>
  readonly item?: Shape
  readonly wrapped?: Shape
  readonly pipe?: readonly { readonly type: string; readonly requirement?: unknown }[]
}

/** valibot looks at every element of a list before it looks at its length; a list that is too long is refused unread. */
function oversizedLists(schema: Shape, value: unknown, path: string, found: Finding[] = []): readonly Finding[] {
  const { entries, item, wrapped } = schema
  if (typeof value !== 'object' || value === null) return found
  if (wrapped !== undefined) return oversizedLists(wrapped, value, path, found)
  if (Array.isArray(value) && item !== undefined) {
    const limit = schema.pipe?.find(({ type }) => type === 'max_length')?.requirement
    if (typeof limit === 'number' && value.length > limit) add(found, { path, code: 'too_long', params: { limit } })
    else if (isNested(item)) {
      for (const [index, member] of value.entries()) oversizedLists(item, member, pathTo(path, index), found)
    }
  } else if (entries !== undefined) {
    for (const [name, entry] of Object.entries(entries)) {
      if (Object.hasOwn(value, name)) oversizedLists(entry, (value as Members)[name], pathTo(path, name), found)
    }
  }
  return found
}

/** valibot takes a list for an object that has none of its members; this lists the places where it did. */
function listsForObjects(schema: Shape, value: unknown, path: string, found: Finding[] = []): readonly Finding[] {
  const { entries, item, wrapped } = schema
  if (typeof value !== 'object' || value === null) return found
  if (wrapped !== undefined) return listsForObjects(wrapped, value, path, found)
  if (item !== undefined && Array.isArray(value) && isNested(item)) {
    for (const [index, member] of value.entries()) listsForObjects(item, member, pathTo(path, index), found)
  }
  if (entries === undefined) return found
  if (Array.isArray(value)) {
    return add(found, { path, code: 'wrong_type', params: { expected: 'object', received: 'array' } })
  }
  for (const [name, entry] of Object.entries(entries)) {
    if (Object.hasOwn(value, name)) listsForObjects(entry, (value as Members)[name], pathTo(path, name), found)
  }
  return found
}

function isNested({ entries, item, wrapped }: Shape): boolean {
  return entries !== undefined || item !== undefined || wrapped !== undefined
}

/** Whether an issue stands at one of these paths or below it; a path has a handful of members. */
function isBelowOne(issue: BaseIssue<unknown>, paths: ReadonlySet<string>): boolean {
  if (paths.size === 0) return false
  let path = ''
  if (paths.has(path)) return true
  return (issue.path ?? []).some((item) => {
    path = pathTo(path, item.key as string | number)
    return paths.has(path)
  })
}

/** valibot stops at the first unknown member of an object; this lists all of them, wherever a strict object stands. */
function unknownMembers(schema: Shape, value: unknown, path: string, found: Finding[] = []): Finding[] {
  const { entries, item, wrapped } = schema
  if (wrapped !== undefined) return unknownMembers(wrapped, value, path, found)
  if (item !== undefined && Array.isArray(value)) {
    for (let index = 0; index < value.length && found.length <= maxFindings; index++) {
      unknownMembers(item, value[index], pathTo(path, index), found)
    }
  }
  if (entries === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return found
  for (const name in value) {
    if (found.length > maxFindings) break
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
    if (entry !== undefined) unknownMembers(entry, (value as Members)[name], pathTo(path, name), found)
    else if (schema.type === 'strict_object') {
      add(found, { path: pathTo(path, shown(name)), code: 'unknown_field', params: { field: shown(name) } })
    }
  }
  return found
}

function add(found: Finding[], finding: Finding): Finding[] {
  if (found.length <= maxFindings) found.push(finding)
  return found
}

function findingOf(issue: BaseIssue<unknown>): readonly Finding[] {
  if (issue.expected === 'never') return []
  const path = pathOf(issue)
  const field = String(issue.path?.at(-1)?.key ?? 'value')
  if (Object.hasOwn(en, issue.message)) {
    return [{ path, code: issue.message as Code, params: { field, received: shown(issue.received) } }]
  }
  const { code, params } = meaning(issue)
  return [{ path, code, params: { field, ...params } }]
}

/** What valibot's kinds of issue are called here. */
function meaning(issue: BaseIssue<unknown>): { readonly code: Code; readonly params: Params } {
  const limit = String(issue.requirement)
  const expected = String(issue.expected ?? issue.type.replace('safe_', '')).replaceAll('"', '')
  switch (issue.type) {
    case 'max_length':
      return { code: 'too_long', params: { limit } }
    case 'min_length':
    case 'non_empty':
      return { code: 'too_short', params: { limit: issue.type === 'non_empty' ? 1 : limit } }
    case 'max_value':
      return { code: 'too_large', params: { limit } }
    case 'min_value':
      return { code: 'too_small', params: { limit } }
    case 'regex':
      return { code: 'bad_pattern', params: { expected: limit } }
    case 'picklist':
    case 'literal':
      if (issue.received !== 'undefined') {
        return {
          code: 'unknown_value',
          params: {
            expected: expected.replace(/^\(|\)$/g, '').replaceAll(' | ', ', '),
            received: shown(issue.received),
          },
        }
      }
  }
  if (issue.received === 'undefined') return { code: 'required', params: {} }
  return { code: 'wrong_type', params: { expected: expected.toLowerCase(), received: typeNamed(issue.received) } }
}

function pathOf(issue: BaseIssue<unknown>): string {
  if (getDotPath(issue) === null) return ''
  return (issue.path ?? []).reduce((path, item) => pathTo(path, item.key as string | number), '')
}

/** The JSON type of what valibot shows of a value: text in quotes, numbers and literals as they are, the rest by its class. */
function typeNamed(received: string): string {
  if (received.startsWith('"')) return 'string'
  if (received === 'true' || received === 'false') return 'boolean'
  return /^-?\d/.test(received) ? 'number' : received.toLowerCase()
}

/** A received value as a message may show it: without quotes, cut, and without control characters. */
function shown(received: string): string {
  const text = received.replace(/^"|"$/g, '').replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD')
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
