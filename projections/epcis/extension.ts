import { isObject } from '../../engine/index.ts'
import { cachedPart, type Identity, neverCached, object, type Template } from '../shared/template/index.ts'

/** The IRI of the page and the JSON-LD context that describe OTEP's own members; the same for all servers. */
export const otepContext = 'https://w3id.org/otep'

/** The namespace of OTEP's own members, on that page; it is read wherever the one of documents is. */
export const otepVocabulary = `${otepContext}#`

/** The namespace that documents are written with, for JSON-LD keys and XML elements. It is part of event hash ids. */
export const otepNamespace = 'urn:otep:epcis:'

const ownNamespaces: readonly string[] = [otepNamespace, otepVocabulary]

/** Whether a namespace is one of OTEP's own. */
export function isOwnNamespace(namespace: string): boolean {
  return ownNamespaces.includes(namespace)
}

/** What names of OTEP's own members may begin with: a prefix of one of the namespaces with its colon, or a namespace. */
export function ownStarts(prefixes: ReadonlyMap<string, string>): readonly string[] {
  const declared = [...prefixes].filter(([, namespace]) => isOwnNamespace(namespace))
  return [...declared.map(([prefix]) => `${prefix}:`), ...ownNamespaces]
}

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

/** The native members among the members of a document, whose names begin so; members of others are left out. */
export function unextended(members: object, start: string): Readonly<Record<string, unknown>> {
  const native: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(members)) {
    if (name.startsWith(start)) setNative(native, name, value, start)
  }
  return native
}

/** Sets a native member to the value of an extension member; even `__proto__` becomes an ordinary member. */
export function setNative(native: Record<string, unknown>, written: string, value: unknown, start: string): void {
  const name = nativeName(written, start)
  const inner = typeof value === 'object' ? unextendedValue(value, start) : value
  if (name !== '__proto__') native[name] = inner
  else Object.defineProperty(native, name, { value: inner, enumerable: true, configurable: true, writable: true })
}

/** The native names by those of extensions. A name that is sliced anew each time would be slow as a property key. */
const nativeNames = new Map<string, string>()

/** The native name of an extension member. */
export function nativeName(name: string, start: string): string {
  return nativeNames.get(name) ?? name.slice(start.length)
}

function unextendedValue(value: unknown, start: string): unknown {
  if (Array.isArray(value)) return value.map((one) => unextendedValue(one, start))
  return isObject(value) ? unextended(value, start) : value
}
