import type { Names } from './context.ts'
import type { Findings } from './findings.ts'

/** The state of the check of a document. */
export interface Scope extends Names {
  /** Whether URIs may have any scheme, because they cannot be compact; true for documents of this server. */
  readonly anyScheme: boolean
  /** Whether the document is XML. */
  readonly xml: boolean
  /** Names of other namespaces that are valid with these prefixes. */
  readonly names: Set<string>
  /** URIs that are valid with these prefixes, because documents repeat them. */
  readonly uris: string[]
}

/** The state for these names. */
export function scopeOf({ prefixes, terms, anyTerm }: Names, { anyScheme = false, xml = false } = {}): Scope {
  const uris: string[] = new Array(rememberedUris).fill('')
  const names = namesByPrefixes.get(prefixes) ?? new Set<string>()
  namesByPrefixes.set(prefixes, names)
  return { prefixes, terms, anyTerm, anyScheme, xml, names, uris }
}

/** Documents with the same prefixes have the same names. */
const namesByPrefixes = new WeakMap<Names['prefixes'], Set<string>>()
const [mostNames, longestName] = [256, 100]

/** Remembers a valid name with a prefix. */
export function remember(name: string, { names }: Scope): void {
  if (names.size < mostNames && name.length <= longestName) names.add(name)
}

/** The number of remembered URIs; each slot keeps the latest one. */
export const rememberedUris = 32

/** Checks a value. For a valid value it returns the constant `good`, which avoids an allocation. */
export type Check = (value: unknown, scope: Scope) => Findings
