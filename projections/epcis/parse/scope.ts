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
  return { prefixes, terms, anyTerm, anyScheme, xml, names: new Set(), uris }
}

/** The number of remembered URIs; each slot keeps the latest one. */
export const rememberedUris = 32

/** Checks a value. For a valid value it returns the constant `good`, which avoids an allocation. */
export type Check = (value: unknown, scope: Scope) => Findings
