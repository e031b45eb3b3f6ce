import { isObject } from '../../engine/index.ts'
import { cachedPart, escaped, type Identity, neverCached, object, type Template } from '../shared/template/index.ts'

/** The IRI of the page and the JSON-LD context that describe OTEP's own members; the same for all servers. */
export const otepContext = 'https://w3id.org/otep'

/** The namespace of OTEP's own members, on that page. */
export const otepVocabulary = `${otepContext}#`

/** A way to write OTEP's own members in events. All of it is part of event hash ids. */
export interface OwnForm {
  /** The prefix with its colon, for JSON-LD keys and XML elements (EPCIS 2.0, extension mechanisms). */
  readonly prefix: 'otep:' | 'otep0:'
  readonly namespace: string
  /**
   * What every text begins with, so that no implementation of event hash ids takes it for a number, a time, a word of
   * CBV or a GS1 key, and rewrites it.
   */
  readonly mark: string
}

/** The form of events that are recorded now. */
export const ownForm: OwnForm = { prefix: 'otep:', namespace: otepVocabulary, mark: 'v1:' }

/** The form of events that were recorded before that one was written. */
export const formerForm: OwnForm = { prefix: 'otep0:', namespace: 'urn:otep:epcis:', mark: '' }

const forms = [ownForm, formerForm]

/** The prefixes that documents declare, with their namespaces. */
export const ownPrefixes = { otep: ownForm.namespace, otep0: formerForm.namespace } as const

/** Whether a namespace is one of OTEP's own. */
export function isOwnNamespace(namespace: string): boolean {
  return forms.some((form) => form.namespace === namespace)
}

/** Whether documents of ours give this name to one of OTEP's own members. */
export function isOwnName(name: string): name is `otep:${string}` | `otep0:${string}` {
  return forms.some(({ prefix }) => name.startsWith(prefix))
}

/** What the names of OTEP's own members begin with in a document that is read, and the form of their texts. */
export interface OwnStart {
  /** A prefix with its colon, or a namespace. */
  readonly start: string
  readonly form: OwnForm
}

/** What names of OTEP's own members may begin with: a prefix of one of the namespaces with its colon, or a namespace. */
export function ownStarts(prefixes: ReadonlyMap<string, string>): readonly OwnStart[] {
  const declared = [...prefixes].flatMap(([prefix, namespace]) => {
    const form = forms.find((one) => one.namespace === namespace)
    return form === undefined ? [] : [{ start: `${prefix}:`, form }]
  })
  return [...declared, ...forms.map((form) => ({ start: form.namespace, form }))]
}

/** Members of an extension: every name has the prefix, at every depth. */
export type Extension = Readonly<Record<string, unknown>>

/** Native members by their own names; those of a part are written with the part. */
export type Native<Input> = Readonly<Record<string, Template<Input, unknown> | Part<Input>>>

/** A part of the input with its own extension; left out if the part is missing. */
interface Part<Input, Inner extends object = object> {
  get(input: Input): Inner | undefined
  readonly inner: Native<Inner>
  readonly identity: Identity<Inner>
}

/** The members of a part; equal parts are cached. */
export function part<Input, Inner extends object>(
  get: (input: Input) => Inner | undefined,
  inner: Native<Inner>,
  identity: Identity<Inner> = neverCached,
): Part<Input> {
  return { get, inner, identity } as Part<Input, Inner> as Part<Input>
}

/** Whether a native member is a part. */
export function isPart<Input>(member: Native<Input>[string]): member is Part<Input> {
  return 'inner' in member
}

/** Native members as extension members, sorted by name: `{source: {type}}` becomes `{'otep:source': {'otep:type'}}`. */
export function extension<Input>(members: Native<Input>, form: OwnForm): Template<Input, Extension> {
  const sorted = Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)))
  return object<Input, Extension>(prefixed(sorted, form))
}

/** Members as a document names them. */
export function prefixed<Input>(
  members: Native<Input>,
  form: OwnForm,
): Readonly<Record<`otep:${string}`, Template<Input, unknown>>> {
  const { prefix } = form
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      nativeNames.set(prefix + name, name)
      if (!isPart(member)) return [prefix + name, marked(member, form)]
      return [prefix + name, cachedPart(member.get, extension(member.inner, form), member.identity)]
    }),
  )
}

/** The same member, whose texts begin with the mark. */
function marked<Input>(member: Template<Input, unknown>, { mark }: OwnForm): Template<Input, unknown> {
  if (mark === '') return member
  const withMark = (value: unknown): unknown => {
    if (typeof value === 'string') return mark + value
    return Array.isArray(value) ? value.map(withMark) : value
  }
  return {
    make: (input) => withMark(member.make(input)),
    writer: (before) => {
      const [start, writeOther] = [`${before}"${mark}`, member.writer(before)]
      return (input) => {
        const value = member.make(input)
        // The mark goes before a text that was tested: to join them first would cost another copy.
        if (typeof value === 'string') {
          return escaped.test(value) ? before + JSON.stringify(mark + value) : `${start}${value}"`
        }
        return Array.isArray(value) ? before + JSON.stringify(withMark(value)) : writeOther(input)
      }
    },
  }
}

/** The native members among the members of a document, whose names begin so; members of others are left out. */
export function unextended(members: object, own: OwnStart): Readonly<Record<string, unknown>> {
  const native: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(members)) {
    if (name.startsWith(own.start)) setNative(native, name, value, own)
  }
  return native
}

/** Sets a native member to the value of an extension member; even `__proto__` becomes an ordinary member. */
export function setNative(native: Record<string, unknown>, written: string, value: unknown, own: OwnStart): void {
  const name = nativeName(written, own.start)
  const inner = unextendedValue(value, own)
  if (name !== '__proto__') native[name] = inner
  else Object.defineProperty(native, name, { value: inner, enumerable: true, configurable: true, writable: true })
}

/** The native names by those of extensions. A name that is sliced again each time would be slow as a property key. */
const nativeNames = new Map<string, string>()

/** The native name of an extension member. */
export function nativeName(name: string, start: string): string {
  return nativeNames.get(name) ?? name.slice(start.length)
}

/** The native value of an extension member. A text without the mark is taken as it is. */
export function unextendedValue(value: unknown, own: OwnStart): unknown {
  if (typeof value === 'string') {
    const { mark } = own.form
    return mark !== '' && value.startsWith(mark) ? value.slice(mark.length) : value
  }
  if (Array.isArray(value)) return value.map((one) => unextendedValue(one, own))
  return isObject(value) ? unextended(value, own) : value
}
