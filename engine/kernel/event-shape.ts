import type { Event } from './event.ts'
import { isObject, type Members } from './members.ts'

type Kind = 'text' | 'number' | 'flag' | 'list' | 'object' | 'anything'

/** What a member of an event's data is; `?` comes after what may be missing. */
export type MemberKind = `${Kind}${'' | ' or null'}${'' | '?'}`

/** The members of an object, which hold no objects of which more is known. */
export type FlatShape = Readonly<Record<string, MemberKind>>

/** The members of an event's data, without `personal`, which is missing after an erasure. */
type EventShape = Readonly<Record<string, MemberKind | FlatShape>>

/** The shapes of events by their type. */
export type EventShapes = Readonly<Record<string, EventShape>>

/** What most events say: when (ISO 8601, UTC), and by whose account; null for providers and the platform. */
export const stamped = { at: 'text', by: 'number or null' } as const satisfies EventShape

/** The shapes that follow from the types of events: a table that says less, more or something else does not compile. */
export type ShapesOf<E extends Event> = { readonly [Type in E['type']]: ShapeOf<DataOf<E, Type>> }

type DataOf<E, Type> = E extends { readonly type: infer Types; readonly data: infer Data }
  ? Type extends Types
    ? Data
    : never
  : never

type ShapeOf<Data> = {
  readonly [Name in Exclude<keyof Data, 'personal'>]-?:
    | MemberOf<Data, Name>
    | (Missing<Data, Name> extends '' ? PartsOf<Data[Name]> : never)
}

/** Of an object that is never missing, the shape may also say what it always has. */
type PartsOf<Value> =
  KindOf<Value> extends 'object'
    ? { readonly [Name in keyof Value as object extends Pick<Value, Name> ? never : Name]: MemberOf<Value, Name> }
    : never

type MemberOf<Data, Name extends keyof Data> = `${KindOf<Data[Name]>}${NullIn<Data[Name]>}${Missing<Data, Name>}`

type KindOf<Value> = unknown extends Value ? 'anything' : KindOfOne<NonNullable<Value>>

type KindOfOne<Value> = Value extends string
  ? 'text'
  : Value extends number
    ? 'number'
    : Value extends boolean
      ? 'flag'
      : Value extends readonly unknown[]
        ? 'list'
        : 'object'

type NullIn<Value> = unknown extends Value ? '' : null extends Value ? ' or null' : ''

type Missing<Data, Name extends keyof Data> = object extends Pick<Data, Name> ? '?' : ''

const tests: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: Number.isFinite,
  flag: (value) => typeof value === 'boolean',
  list: Array.isArray,
  object: isObject,
  anything: () => true,
}

/** What is wrong with the data of an event: the member, the code, and what it should be. */
interface Misshapen {
  readonly path: string
  readonly code: 'required' | 'wrong_type'
  readonly expected: string
}

/** The first member of data that is not as its shape says; undefined if there is none. */
export function misshapen(shape: EventShape, data: Members): Misshapen | undefined {
  for (const [path, member] of Object.entries(shape)) {
    const value = Object.hasOwn(data, path) ? data[path] : undefined
    const wrong = typeof member === 'string' ? wrongMember(path, member, value) : wrongParts(path, member, value)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function wrongParts(path: string, shape: FlatShape, value: unknown): Misshapen | undefined {
  if (!isObject(value)) return wrongMember(path, 'object', value)
  const wrong = misshapen(shape, value)
  return wrong && { ...wrong, path: `${path}.${wrong.path}` }
}

function wrongMember(path: string, member: MemberKind, value: unknown): Misshapen | undefined {
  const expected = member.replace('?', '')
  if (value === undefined) return expected === member ? { path, code: 'required', expected } : undefined
  const [kind, orNull] = expected.split(' or ')
  if (orNull !== undefined && value === null) return undefined
  if (!tests[kind as Kind](value)) return { path, code: 'wrong_type', expected }
  const isInstant = typeof value !== 'string' || !instantName.test(path) || !Number.isNaN(Date.parse(value))
  return isInstant ? undefined : { path, code: 'wrong_type', expected: 'instant' }
}

/** Names of members that hold an instant. */
const instantName = /(^|_)(at|until)$/
