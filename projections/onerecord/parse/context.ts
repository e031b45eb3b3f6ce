import { excerptOf, type Finding, isObject } from '../../../engine/index.ts'

/** What a name of a document means. */
interface Term {
  /** Its IRI, or the keyword that it means. */
  readonly iri: string
  /** The type of its texts: `@id`, `@vocab` or the IRI of a data type. */
  readonly type?: string
}

/** The names that a context gives a meaning. */
export interface Names {
  readonly terms: ReadonlyMap<string, Term>
  /** What names without another meaning begin with. */
  readonly vocab?: string
}

/** No names. */
export const noNames: Names = { terms: new Map(), vocab: '' }

/** The most terms of a context. Each context in a document has all terms of the one around it. */
const maxTerms = 500

/** What a context may say beside its terms. The language of texts is not kept, and addresses are absolute here. */
const said = new Set(['@vocab', '@version', '@language', '@protected', '@base'])

/** What the definition of a term may say. */
const defined = new Set(['@id', '@type', '@container', '@language', '@protected', '@prefix'])

/**
 * The names of a `@context` in addition to those that are known (JSON-LD 1.1, section 4.1). IATA publishes no context, so
 * every context is in the document, and one with an address is refused: nothing is fetched.
 */
export function namesIn(context: unknown, known: Names, path: string, report: (finding: Finding) => void): Names {
  const items = Array.isArray(context) ? context : [context]
  return items.reduce<Names>((names, item) => {
    if (item === null) return noNames
    if (isObject(item)) return declared(item, names, path, report)
    report({
      path,
      code: 'unknown_context',
      params: { received: excerptOf(String(item)), expected: 'an object in the document' },
    })
    return names
  }, known)
}

function declared(
  item: Readonly<Record<string, unknown>>,
  known: Names,
  path: string,
  report: (finding: Finding) => void,
): Names {
  const terms = new Map(known.terms)
  if (terms.size + Object.keys(item).length > maxTerms) {
    report({ path, code: 'too_long', params: { limit: maxTerms } })
    return known
  }
  const raw = new Map(Object.entries(item).filter(([name]) => !name.startsWith('@')))
  for (const name of Object.keys(item))
    if (name.startsWith('@') && !said.has(name))
      report({ path: `${path}.${name}`, code: 'unknown_field', params: { field: name } })
  // A prefix may be declared after the names that use it, so those that have no prefix come first.
  const isAbsolute = (value: unknown) => typeof value === 'string' && /^(?:@|[a-z][a-z\d+.-]*:\/\/)/i.test(value)
  const entries = [...raw].sort(([, one], [, other]) => Number(isAbsolute(other)) - Number(isAbsolute(one)))
  const { '@vocab': vocab = known.vocab } = item
  const names = (): Names => ({ terms, ...(typeof vocab === 'string' && { vocab }) })
  for (const [name, value] of entries) {
    const term = termOf(value, names())
    if (term === undefined) terms.delete(name)
    else terms.set(name, { ...term, iri: term.iri === '' ? expandedName(name, names(), true) : term.iri })
    const strange = isObject(value) ? Object.keys(value).find((member) => !defined.has(member)) : undefined
    if (strange !== undefined) report({ path: `${path}.${name}`, code: 'unknown_field', params: { field: strange } })
  }
  return names()
}

function termOf(value: unknown, names: Names): Term | undefined {
  if (typeof value === 'string') return { iri: expandedName(value, names) }
  if (!isObject(value)) return undefined
  const { '@id': id, '@type': type } = value
  return {
    iri: typeof id === 'string' ? expandedName(id, names) : '',
    ...(typeof type === 'string' && { type: expandedName(type, names) }),
  }
}

/** The IRI or the keyword of a name; the name itself if it has no meaning. `own` leaves out what the name itself means. */
export function expandedName(name: string, { terms, vocab = '' }: Names, own = false): string {
  if (name.startsWith('@')) return name
  const term = own ? undefined : terms.get(name)
  if (term !== undefined) return term.iri
  const colon = name.indexOf(':')
  if (colon === -1) return vocab + name
  const prefix = terms.get(name.slice(0, colon))
  const rest = name.slice(colon + 1)
  return prefix === undefined || rest.startsWith('//') ? name : prefix.iri + rest
}

/** The type of the texts of a member. */
export function typeOfTexts(name: string, { terms }: Names): string | undefined {
  return terms.get(name)?.type
}
