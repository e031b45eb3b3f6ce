import { canonicalForm, canonicalKey, checked, isKey } from './gs1-key.ts'
import { decoded, type Scheme, schemes } from './gs1-schemes.ts'

const web = /^https?:/i

/** The application identifiers that no URN has; without a serial number, they name something finer than a URN can. */
const unsaid = /\/(?:22|7040|8019)\//

/**
 * The EPC URN of a Digital Link of any domain; any other text, and a link that no URN can say, is unchanged.
 * `lengthOf` is the length of the GS1 company prefix with which digits begin, which a link does not show; undefined if it
 * is not known.
 */
export function epcUrn(text: string, lengthOf: (digits: string) => number | undefined): string {
  const link = canonicalKey(text)
  const [, , key = '', value = '', tail = ''] = canonicalForm.exec(link) ?? []
  if (!web.test(text) || !isKey(key, value) || (unsaid.test(text) && !/^\/(?:21|235)\//.test(tail))) return text
  for (const [name, scheme] of Object.entries(schemes)) {
    const urn = scheme.key === key ? inUrn(scheme, value, tail, lengthOf) : undefined
    if (urn !== undefined) return `urn:epc:${name}:${urn}`
  }
  return text
}

function inUrn(
  { key, indicator, lead = '', bare, tail }: Scheme,
  value: string,
  after: string,
  lengthOf: (digits: string) => number | undefined,
): string | undefined {
  const length = bare ? value.length + 1 : (checked[key] ?? 0)
  const rest = value.slice(length) + after
  const last = tail === undefined ? (rest === '' ? [] : undefined) : tail.inUrn(rest)
  const digits = value.slice(lead.length + (indicator ? 1 : 0), length - 1)
  const known = lengthOf(digits)
  if (last === undefined || known === undefined || known > digits.length || !value.startsWith(lead)) return undefined
  const first = indicator ? value.slice(0, 1) : ''
  return [digits.slice(0, known), first + decoded(digits.slice(known)), ...last].join('.')
}
