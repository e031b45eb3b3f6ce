import { type BaseIssue, type GenericSchema, getDotPath, type InferOutput, safeParse } from 'valibot'
import { acceptOf, unsure } from './accept.ts'
import { excerptOf, type Finding, pathTo, unknownAmong } from './finding.ts'
import type { Members } from './members.ts'
import type { Code, Params } from './messages/index.ts'

/** The most findings listed for one input, so that a hostile input cannot cause a huge answer. */
export const maxFindings = 1000

/** The most findings of an input that say which member was meant. */
const maxMeant = 20

/** The parsed value, or everything that is wrong with the input. */
export type Parsed<Schema extends GenericSchema> =
  | { readonly value: InferOutput<Schema>; readonly findings?: undefined }
  | { readonly value?: undefined; readonly findings: readonly Finding[] }

/** Parses an input by a valibot schema. Reports every unknown member of a strict object. */
export function parse<Schema extends GenericSchema>(schema: Schema, input: unknown): Parsed<Schema> {
  const accepted = acceptOf(schema)(input)
  if (accepted !== unsure) return { value: accepted as InferOutput<Schema> }
  const lists =
    typeof input === 'object'
      ? [...ignoredMembers(schema as Shape, input), ...listFindings(schema as Shape, input, '')]
      : []
  const oversized = lists.filter(({ code }) => code === 'too_long')
  if (oversized.length > 0) return { findings: capFindings(oversized) }
  const result = safeParse(schema, input)
  if (result.success && lists.length === 0) return { value: result.output }
  const misplaced = new Set(lists.map(({ path }) => path))
  const issues = (result.issues ?? []).filter((issue) => !isBelowOne(issue, misplaced)).flatMap(findingOf)
  return { findings: capFindings([...lists, ...unknownMembers(schema as Shape, input, ''), ...issues]) }
}

/** Names that valibot ignores in objects with arbitrary members. */
const ignoredNames = ['__proto__', 'prototype', 'constructor']

function ignoredMembers({ type, entries = {} }: Shape, input: object | null): readonly Finding[] {
  if (type !== 'object_with_rest' || input === null) return []
  const names = ignoredNames.filter((name) => Object.hasOwn(input, name) && !Object.hasOwn(entries, name))
  return names.map((name) => ({ path: name, code: 'unknown_field', params: { field: name } }))
}

/** The findings, cut at `limit` with a note how many more there are. */
export function capFindings(findings: readonly Finding[], limit: number = maxFindings): readonly Finding[] {
  if (findings.length <= limit) return findings
  return [
    ...findings.slice(0, limit),
    { path: '', code: 'findings_cut', params: { limit, more: findings.length - limit } },
  ]
}

/** The parts of a valibot schema that are read here. */
interface Shape {
  readonly type: string
  readonly entries?: Readonly<Record<string, Shape>>
  readonly item?: Shape
  readonly wrapped?: Shape
  readonly pipe?: readonly Step[]
}

/** A step of a pipe. The first is what the pipe is about, which can be a pipe itself. */
interface Step {
  readonly type: string
  readonly requirement?: unknown
  readonly pipe?: readonly Step[]
}

/** The most elements of a list, whichever of its pipes says so. */
function mostOf(pipe: readonly Step[] = []): unknown {
  return pipe.find(({ type }) => type === 'max_length')?.requirement ?? (pipe[0]?.pipe && mostOf(pipe[0].pipe))
}

/**
 * Checks lists before valibot does. valibot checks every element before the length, so a list that is too long is
 * refused here first. valibot also accepts a list as an object without members.
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
  const limit = mostOf(pipe)
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

/** Whether an issue is at one of these paths or below. */
function isBelowOne(issue: BaseIssue<unknown>, paths: ReadonlySet<string>): boolean {
  if (paths.size === 0) return false
  let path = ''
  if (paths.has(path)) return true
  return (issue.path ?? []).some((item) => {
    path = pathTo(path, item.key as string | number)
    return paths.has(path)
  })
}

/** Lists all unknown members of all strict objects; valibot stops at the first one of an object. */
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
      const known = found.length < maxMeant ? namesOf(entries) : []
      add(found, { path: pathTo(path, excerptOf(name)), ...unknownAmong(name, known) })
    }
  }
  return found
}

/** The names of the members of a schema, the same list each time. */
function namesOf(entries: object): readonly string[] {
  const names = memberNames.get(entries) ?? Object.keys(entries)
  memberNames.set(entries, names)
  return names
}

const memberNames = new WeakMap<object, readonly string[]>()

function add(found: Finding[], finding: Finding): Finding[] {
  if (found.length <= maxFindings) found.push(finding)
  return found
}

function findingOf(issue: BaseIssue<unknown>): readonly Finding[] {
  if (issue.expected === 'never') return []
  const path = pathOf(issue)
  const field = String(issue.path?.at(-1)?.key ?? 'value')
  if (isCode(issue.message)) {
    // Only a step that knows what is meant expects something.
    const meant = issue.kind === 'transformation' && issue.expected !== null ? { expected: issue.expected } : {}
    return [{ path, code: issue.message, params: { field, received: receivedIn(issue), ...meant } }]
  }
  const { code, params } = translated(issue)
  return [{ path, code, params: { field, ...params } }]
}

/** Whether the schema has its own code; valibot's messages are sentences. */
function isCode(message: string): message is Code {
  return /^\w+$/.test(message)
}

/** The code and parameters for each kind of valibot issue. */
function translated(issue: BaseIssue<unknown>): { readonly code: Code; readonly params: Params } {
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

/**
 * The JSON type of a value as valibot prints it: text in quotes, numbers and literals unchanged, others by class
 * name.
 */
function typeNamed(received: string): string {
  if (received.startsWith('"')) return 'string'
  if (received === 'true' || received === 'false') return 'boolean'
  return /^-?\d/.test(received) ? 'number' : received.toLowerCase()
}

/** The value that valibot prints, shortened for a message. */
function receivedIn(issue: BaseIssue<unknown>): string {
  return excerptOf(issue.received.replace(/^"|"$/g, ''))
}
