import { checked } from './gs1-key.ts'
import { encoded, type Scheme, schemes } from './gs1-schemes.ts'

/** A pattern of EPCs or classes (GS1 EPC Tag Data Standard, section 8): a star for each part that may be any. */
const pattern = /^urn:epc:idpat:([a-z]+):(\d{6,12}|\*)\.([^./?#]*)(?:\.([^/?#]+))?$/
/** Keys whose last part is left out in a class, or, of a place, if it is the whole place. */
const endsEarly = /^(?:sgtin|sgln|grai|gdti|sgcn)$/
const anyPart = '\u0001'

/** What the canonical forms of the keys look like that a pattern matches; undefined if the text is no pattern. */
export function keyPattern(text: string): RegExp | undefined {
  const [, name = '', prefix = '', reference = '', rest] = pattern.exec(text) ?? []
  const parts = [prefix, reference, ...(rest?.split('.') ?? [])]
  const open = parts.indexOf('*')
  const scheme = schemes[`id:${name}`] ?? schemes[`class:${name}`]
  if (scheme === undefined || open === -1 || parts.slice(open).some((part) => part !== '*')) return undefined
  const { key, bare, tail } = scheme
  const others = parts.slice(2).map((part) => (part === '*' ? anyPart : part))
  if ((tail !== undefined) !== others.length > 0) return undefined
  const body = bare ? bareBody(prefix, reference) : digitsBody(scheme, prefix, reference)
  const end = inPattern(tail?.inLink(others) ?? '')
  const isEarly = endsEarly.test(name) && others.every((part) => part === anyPart)
  const check = bare ? '' : '\\d'
  if (body === undefined) return undefined
  return new RegExp(`^https://id\\.gs1\\.org/${key}/${body}${check}${isEarly ? `(?:${end})?` : end}$`)
}

function bareBody(prefix: string, reference: string): string {
  return `${prefix === '*' ? '\\d{6,12}' : prefix}${reference === '*' ? '[^/]+' : inPattern(encoded(reference))}`
}

/** The digits before the check digit; undefined if prefix and reference have not the length of the key. */
function digitsBody({ key, indicator, lead = '' }: Scheme, prefix: string, reference: string): string | undefined {
  const length = (checked[key] ?? 0) - 1 - lead.length
  if (prefix === '*') return `${lead}\\d{${length}}`
  if (reference === '*')
    return `${indicator ? '\\d' : lead}${prefix}\\d{${length - prefix.length - (indicator ? 1 : 0)}}`
  if (!/^\d*$/.test(reference) || prefix.length + reference.length !== length) return undefined
  return indicator ? `${reference.slice(0, 1)}${prefix}${reference.slice(1)}` : `${lead}${prefix}${reference}`
}

/** A text of a key in a regular expression. */
function inPattern(text: string): string {
  return text.replace(/[$.()*+?[\\\]^{|}]/g, '\\$&').replaceAll(anyPart, '[^/]+')
}
