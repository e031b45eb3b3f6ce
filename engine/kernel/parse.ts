import { type BaseIssue, type GenericSchema, getDotPath, type InferOutput, safeParse } from 'valibot'
import { acceptOf, unsure } from './accept.ts'
import { type Finding, pathTo, shown } from './finding.ts'
import type { Members } from './members.ts'
import type { Code, Params } from './messages/index.ts'

/** At most this many findings are listed for one input, so that a hostile one cannot ask for a larger answer. */
export const maxFindings = 1000

/** The value that the schema makes of an input, or everything that is wrong with it, in one pass. */
export type Parsed<Schema extends GenericSchema> =
  | { readonly value: InferOutput<Schema>; readonly findings?: undefined }
  | { readonly value?: undefined; readonly findings: readonly Finding[] }

/** Parses an input by a valibot schema. Members that a strict object does not know are each reported. */
export function parse<Schema extends GenericSchema>(schema: Schema, input: unknown): Parsed<Schema> {
  const accepted = acceptOf(schema)(input)
  if (accepted !== unsure) return { value: accepted as InferOutput<Schema> }
  const lists =
    typeof input === 'object' ? [...unseen(schema as Shape, input), ...listFindings(schema as Shape, input, '')] : []
  const oversized = lists.filter(({ code }) => code === 'too_long')
  if (oversized.length > 0) return { findings: cut(oversized) }
  const result = safeParse(schema, input)
  if (result.success && lists.length === 0) return { value: result.output }
  const misplaced = new Set(lists.map(({ path }) => path))
  const issues = (result.issues ?? []).filter((issue) => !isBelowOne(issue, misplaced)).flatMap(findingOf)
  return { findings: cut([...lists, ...unknownMembers(schema as Shape, input, ''), ...issues]) }
}

/** Names that valibot passes over where an object may have members of any name. */
const passedOver = ['__proto__', 'prototype', 'constructor']

function unseen({ type, entries = {} }: Shape, input: object | null): readonly Finding[] {
  if (type !== 'object_with_rest' || input === null) return []
  const names = passedOver.filter((name) => Object.hasOwn(input, name) && !Object.hasOwn(entries, name))
  return names.map((name) => ({ path: name, code: 'unknown_field', params: { field: name } }))
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

/**
 * What is wrong with lists, before valibot sees them: it looks at every element before it looks at the length, so one that
 * is too long is refused unread; and it takes a list for an object that has none of its members.
 */
function listFindings(schema: Shape, value: object | null, path: string, found: Finding[] = []): readonly Finding[] {
  const { entries, item, wrapped, pipe } = schema
  if (wrapped !== undefined) return listFindings(wrapped, value, path, found)
  if (!Array.isArray(value)) {
    for (const [name, entry] of Object.entries(value === null ? {} : (entries ?? {}))) {
      const member = Object.hasOwn(value as object, name) ? (value as Members)[name] : undefined
      if (typeof member === 'object') listFindings(entry, member, pathTo(path, name), found)
    }
    return found
  }
  if (entries !== undefined)
    return add(found, { path, code: 'wrong_type', params: { expected: 'object', received: 'array' } })
  const limit = pipe?.find(({ type }) => type === 'max_length')?.requirement
  if (typeof limit === 'number' && value.length > limit) found.push({ path, code: 'too_long', params: { limit } })
  else if (item !== undefined && isNested(item)) {
    for (const [index, member] of value.entries()) {
      if (typeof member === 'object') listFindings(item, member, pathTo(path, index), found)
    }
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
  if (isCode(issue.message)) return [{ path, code: issue.message, params: { field, received: receivedIn(issue) } }]
  const { code, params } = meaning(issue)
  return [{ path, code, params: { field, ...params } }]
}

/** Whether a schema names a code of its own; valibot itself says sentences. */
function isCode(message: string): message is Code {
  return /^\w+$/.test(message)
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
            received: receivedIn(issue),
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

/** What valibot shows of a value, as a message may repeat it. */
function receivedIn(issue: BaseIssue<unknown>): string {
  return shown(issue.received.replace(/^"|"$/g, ''))
}
