import { withoutUnseen } from '../../kernel/number-key.ts'
import { hasCheckDigit } from './check-digit.ts'
import { encoded, schemes } from './gs1-schemes.ts'

/** A slash, a question mark or a hash is escaped in a URN, and would begin another part of a link. */
const urn = /^urn:epc:(id|class|idpat):([a-z]+):(\d{6,12})\.([^./?#]*)(?:\.([^/?#]+))?$/
const link =
  /^https?:\/\/[^/?#]+(?:\/[^/?#]+)*?\/(00|01|253|255|401|402|414|417|8003|8004|8006|8010|8017|8018)\/([^?#]+)/i

/** The qualifiers that identify more finely than the key, the finest first (GS1 Digital Link 1.2, section 4.11). */
const qualifiers: Readonly<Record<string, readonly string[]>> = {
  '01': ['21', '235', '10'],
  '8006': ['21', '10'],
  '414': ['254'],
  '8010': ['8011'],
}

/** The form of a key's value; only links with this form are treated as GS1's. */
const values: Readonly<Record<string, RegExp>> = {
  '00': /^\d{18}$/,
  '01': /^(?:\d{8}|\d{12,14})$/,
  '253': /^\d{13}[^/]{0,17}$/,
  '255': /^\d{13,25}$/,
  '401': /^[^/]{1,30}$/,
  '402': /^\d{17}$/,
  '414': /^\d{13}$/,
  '417': /^\d{13}$/,
  '8003': /^\d{14}[^/]{0,16}$/,
  '8004': /^[^/]{1,30}$/,
  '8006': /^\d{18}$/,
  '8010': /^[^/]{1,30}$/,
  '8017': /^\d{18}$/,
  '8018': /^\d{18}$/,
}

/** The keys with which the path of a Digital Link begins, as application identifiers. */
export const primaryKeys = Object.keys(values).sort()

/** What may follow a key in the path of a Digital Link, in this order (GS1 Digital Link URI Syntax). */
const pathQualifiers: Readonly<Record<string, readonly string[]>> = {
  '01': ['22', '10', '21', '235'],
  '8006': ['22', '10', '21'],
  '414': ['254', '7040'],
  '417': ['7040'],
  '8010': ['8011'],
  '8017': ['8019'],
  '8018': ['8019'],
}

const web = /^https?:/i

/**
 * An EPC URN or a Digital Link of any domain in the constrained canonical form for event hashes: under
 * `https://id.gs1.org`, with only the key and the finest qualifier (CBV 2.0, event hash id). Any other text is
 * unchanged.
 */
export function canonicalLink(text: string): string {
  const first = text[0]
  if (first === 'u' && text.startsWith('urn:epc:')) return fromUrn(text) ?? text
  return (first === 'h' || first === 'H') && web.test(text) ? (fromLink(text) ?? text) : text
}

/** The last of so many digits of a key is its check digit; all other keys begin with a company prefix. */
export const checked: Readonly<Record<string, number>> = {
  ...{ '00': 18, '01': 14, '253': 13, '255': 13, '402': 17, '414': 13, '417': 13 },
  ...{ '8003': 14, '8006': 14, '8017': 18, '8018': 18 },
}

/**
 * The form of a GS1 key by which things and places are compared: its canonical link, unless it is not a valid key. Any
 * other text is unchanged.
 */
export function canonicalKey(text: string): string {
  const canonical = canonicalLink(text)
  const [, start = '', key = '', value = '', tail = ''] = canonicalForm.exec(canonical) ?? []
  return isKey(key, value) ? `${start}${encoded(value + tail)}` : text
}

/**
 * The canonical link of the path of a Digital Link, such as `/00/106141412345678908`, with or without a slash at its
 * end. Undefined if it is none: an unknown or invalid key, or qualifiers that do not follow this key.
 */
export function linkOfPath(path: string): string | undefined {
  const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/').map(normalized)
  const [key = '', value = '', ...pairs] = segments
  const names = pairs.filter((_, index) => index % 2 === 0)
  const allowed = (pathQualifiers[key] ?? []).filter((name) => names.includes(name))
  const isWhole = pairs.length % 2 === 0 && segments.every((segment) => segment !== undefined && segment !== '')
  if (!isWhole || allowed.join() !== names.join()) return undefined
  const link = `https://id.gs1.org/${[key, value, ...pairs].join('/')}`
  const canonical = canonicalLink(link)
  const [, , known = '', digits = ''] = canonicalForm.exec(canonical) ?? []
  return isKey(known, digits) ? canonicalKey(link) : undefined
}

/** A segment of a path with only the escapes that it needs; undefined if it has a broken one. */
function normalized(segment: string): string | undefined {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    return undefined
  }
}

/** Whether a text is a value of a key, with its check digit. */
export function isKey(key: string, value: string): boolean {
  if (values[key]?.test(value) !== true) return false
  const length = checked[key]
  if (length === undefined) return /^\d{4}/.test(value)
  return value.length >= length && hasCheckDigit(value.slice(0, length))
}

/** Whether a link of a GS1 key (at another domain, one of its usual length) has a wrong check digit. */
export function hasWrongCheckDigit(text: string): boolean {
  if (!web.test(text)) return false
  const [, , key = '', value = ''] = canonicalForm.exec(canonicalLink(text)) ?? []
  const length = checked[key]
  if (length === undefined || value.length < length || hasCheckDigit(value.slice(0, length))) return false
  return ownLink.test(text) || text.includes(`/${key}/${value}`)
}

const ownLink = /^https?:\/\/id\.gs1\.org\//i
/** A canonical link: its start with the key, the key, the value and what follows. */
export const canonicalForm = /^(https:\/\/id\.gs1\.org\/(\d+)\/)([^/]+)(.*)$/

function fromUrn(text: string): string | undefined {
  const [, kind, name, prefix = '', reference = '', rest] = urn.exec(text) ?? []
  const scheme = schemes[`${kind}:${name}`]
  if (scheme === undefined) return undefined
  const { key, indicator, lead = '', bare, tail } = scheme
  const digits = indicator ? `${reference.slice(0, 1)}${prefix}${reference.slice(1)}` : `${lead}${prefix}${reference}`
  if (bare ? digits.includes('*') : !/^\d+$/.test(digits)) return undefined
  const value = bare ? encoded(digits) : withCheckDigit(digits)
  return `https://id.gs1.org/${key}/${value}${tail?.inLink(rest?.split('.') ?? []) ?? ''}`
}

function fromLink(text: string): string | undefined {
  const [, key = '', path = ''] = link.exec(text) ?? []
  const [value = '', ...pairs] = path.split('/')
  if (values[key]?.test(value) !== true) return undefined
  const qualifierValues = new Map(
    pairs.flatMap((name, index) => (index % 2 === 0 ? [[name, pairs[index + 1] ?? '']] : [])) as [string, string][],
  )
  const finest = qualifiers[key]?.find((name) => qualifierValues.has(name))
  const padded = key === '01' ? value.padStart(14, '0') : value
  return `https://id.gs1.org/${key}/${padded}${finest === undefined ? '' : `/${finest}/${qualifierValues.get(finest)}`}`
}

function withCheckDigit(digits: string): string {
  return digits + [...'0123456789'].find((digit) => hasCheckDigit(digits + digit))
}

/** A GS1 element string with brackets: `(01)09506000134352(21)12345` (GS1 General Specifications, section 7.8). */
const elementString = /^(?:\(\d{2,4}\)[^()]+)+$/
/** What a scanner reads from a GS1-128 logistics label that has only an SSCC, with or without the symbology. */
const scannedSscc = /^(?:\]C1)?00(\d{18})$/

/**
 * Other forms of a text under which a thing may be known. A GS1 key (an EPC URN, a Digital Link of any host, an element string,
 * or a scanned SSCC) has its canonical link and, of an SSCC, its digits. What was typed in full width has its usual form.
 */
export function otherForms(text: string): readonly string[] {
  const given = withoutUnseen(text).trim()
  const usual = given.normalize('NFKC')
  const link = linkOf(usual)
  if (link === undefined) return usual === given.normalize('NFC') ? [] : [usual]
  const canonical = canonicalKey(link)
  const [, sscc] = /^https:\/\/id\.gs1\.org\/00\/(\d{18})$/.exec(canonical) ?? []
  return [...(sscc === undefined ? [] : [sscc]), canonical].filter((form) => form !== text)
}

/** The text as a link or URN that may be a key; undefined for any other text. */
function linkOf(text: string): string | undefined {
  if (/^(?:urn:epc:|https?:\/\/)/i.test(text)) return text
  const [, sscc] = scannedSscc.exec(text) ?? []
  if (sscc !== undefined) return hasCheckDigit(sscc) ? `https://id.gs1.org/00/${sscc}` : undefined
  if (!elementString.test(text)) return undefined
  const elements = [...text.matchAll(/\((\d+)\)([^()]+)/g)]
  return `https://id.gs1.org/${elements.map(([, ai, value = '']) => `${ai}/${encodeURIComponent(value)}`).join('/')}`
}
