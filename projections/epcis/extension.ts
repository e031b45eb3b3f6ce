import { isObject } from '../../engine/index.ts'
import { cachedPart, type Identity, neverCached, object, type Template } from '../shared/template/index.ts'

/** The namespace of OTEP's own members in EPCIS documents, for JSON-LD keys and XML elements. */
export const otepNamespace = 'urn:otep:epcis:'

/** The prefix of that namespace (EPCIS 2.0, extension mechanisms). */
export const otepPrefix = 'otep:'

/** Members of an extension: every name has the prefix, at every depth. */
export type Extension = Readonly<Record<string, unknown>>

/** Native members by their own names. */
export type Native<Input> = Readonly<Record<string, Template<Input, unknown>>>

/** An extension that is part of event hash ids: its members are known by name. */
export interface Extended<Input> extends Template<Input, Extension> {
  readonly members: Native<Input>
}

/** Native members as extension members, sorted by name: `{source: {type}}` becomes `{'otep:source': {'otep:type'}}`. */
export function extension<Input>(members: Native<Input>): Extended<Input> {
  const sorted = Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)))
  return { ...object<Input, Extension>(prefixed(sorted)), members: sorted }
}

/** A part of the input with an extension of its own; left out if the part is missing. */
export interface Part<Input, Inner> extends Template<Input, Extension | undefined> {
  get(input: Input): Inner | undefined
  readonly inner: Extended<Inner>
  readonly identity: Identity<Inner>
}

/** The extension of a part; equal parts are cached. */
export function part<Input, Inner extends object>(
  get: (input: Input) => Inner | undefined,
  inner: Extended<Inner>,
  identity: Identity<Inner> = neverCached,
): Part<Input, Inner> {
  return { ...cachedPart(get, inner, identity), get, inner, identity }
}

/** Members as a document names them. */
export function prefixed<Input>(members: Native<Input>): Readonly<Record<`otep:${string}`, Template<Input, unknown>>> {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      nativeNames.set(otepPrefix + name, name)
      return [otepPrefix + name, member]
    }),
  )
}

/** The native members among the members of a document; members that are not OTEP's own are left out. */
export function unextended(members: object): Readonly<Record<string, unknown>> {
  const native: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(members)) {
    if (name.startsWith(otepPrefix)) setNative(native, nativeName(name), value)
  }
  return native
}

/** Sets a native member to the value of an extension member; even `__proto__` becomes an ordinary member. */
export function setNative(native: Record<string, unknown>, name: string, value: unknown): void {
  const inner = typeof value === 'object' ? unextendedValue(value) : value
  if (name !== '__proto__') native[name] = inner
  else Object.defineProperty(native, name, { value: inner, enumerable: true, configurable: true, writable: true })
}

/** The native names by those of extensions. A name that is sliced anew each time would be slow as a property key. */
const nativeNames = new Map<string, string>()

/** The native name of an extension member. */
export function nativeName(name: string): string {
  return nativeNames.get(name) ?? name.slice(otepPrefix.length)
}

function unextendedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unextendedValue)
  return isObject(value) ? unextended(value) : value
}
