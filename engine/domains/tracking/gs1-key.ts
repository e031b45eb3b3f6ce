import { withoutUnseen } from '../../kernel/number-key.ts'
import { hasCheckDigit } from './check-digit.ts'

/** How the parts of an EPC URN map to those of a GS1 Digital Link (GS1 EPC Tag Data Standard). */
interface Scheme {
  /** The application identifier of the key. */
  readonly key: string
  /** The first digit of the reference precedes the company prefix. */
  readonly indicator?: true
  /** Digits that precede both. */
  readonly lead?: string
  /** There is no check digit. */
  readonly bare?: true
  /** What the remaining parts become after the key. */
  tail?(parts: readonly string[]): string
}

const serial = (parts: readonly string[]) => parts.map(encoded).join('')
const qualified = (qualifier: string) => (parts: readonly string[]) => `/${qualifier}/${serial(parts)}`

const schemes: Readonly<Record<string, Scheme>> = {
  'id:sgtin': { key: '01', indicator: true, tail: qualified('21') },
  'id:sscc': { key: '00', indicator: true },
  'id:sgln': { key: '414', tail: (parts) => (parts[0] === '0' ? '' : qualified('254')(parts)) },
  'id:grai': { key: '8003', lead: '0', tail: serial },
  'id:giai': { key: '8004', bare: true },
  'id:gsrn': { key: '8018' },
  'id:gsrnp': { key: '8017' },
  'id:gdti': { key: '253', tail: serial },
  'id:cpi': { key: '8010', bare: true, tail: qualified('8011') },
  'id:sgcn': { key: '255', tail: serial },
  'id:ginc': { key: '401', bare: true },
  'id:gsin': { key: '402' },
  'id:pgln': { key: '417' },
  'id:upui': { key: '01', indicator: true, tail: qualified('235') },
  'id:itip': {
    key: '8006',
    indicator: true,
    tail: ([piece = '', total = '', ...rest]) => `${piece}${total}/21/${serial(rest)}`,
  },
  'class:lgtin': { key: '01', indicator: true, tail: qualified('10') },
  // A pattern for all serial numbers names the class.
  'idpat:sgtin': { key: '01', indicator: true },
  'idpat:upui': { key: '01', indicator: true },
  'idpat:itip': { key: '8006', indicator: true, tail: ([piece = '', total = '']) => piece + total },
  'idpat:grai': { key: '8003', lead: '0' },
  'idpat:gdti': { key: '253' },
  'idpat:sgcn': { key: '255' },
  'idpat:cpi': { key: '8010', bare: true },
}

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
const checked: Readonly<Record<string, number>> = {
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

function isKey(key: string, value: string): boolean {
  if (values[key]?.test(value) !== true) return false
  const length = checked[key]
  if (length === undefined) return /^\d{4}/.test(value)
  return value.length >= length && hasCheckDigit(value.slice(0, length))
}

const canonicalForm = /^(https:\/\/id\.gs1\.org\/(\d+)\/)([^/]+)(.*)$/

function fromUrn(text: string): string | undefined {
  const [, kind, name, prefix = '', reference = '', rest] = urn.exec(text) ?? []
  const scheme = schemes[`${kind}:${name}`]
  if (scheme === undefined) return undefined
  const { key, indicator, lead = '', bare, tail } = scheme
  const digits = indicator ? `${reference.slice(0, 1)}${prefix}${reference.slice(1)}` : `${lead}${prefix}${reference}`
  if (bare ? digits.includes('*') : !/^\d+$/.test(digits)) return undefined
  const value = bare ? encoded(digits) : withCheckDigit(digits)
  return `https://id.gs1.org/${key}/${value}${tail?.(rest?.split('.') ?? []) ?? ''}`
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
  const end = inPattern(tail?.(others) ?? '')
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

/** The characters that an EPC URN may have and a Digital Link must not (GS1 Digital Link 1.2). */
function encoded(part: string): string {
  return part.replace(/[!()*+,:]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
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
