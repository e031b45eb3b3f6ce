import { type Code, hasCheckDigit } from '../../../engine/index.ts'
import { isUri } from '../../shared/subject.ts'
import { canonicalKey } from '../digital-link.ts'

const uuid = /^urn:uuid:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const ni = /^ni:\/\/\/sha-256;[\da-f]{64}(?:\?ver=CBV\d+(?:\.\d+)*)?$/i

/** Schemes that are known; with any other word before the colon, a text is a compact URI. */
const schemes = new Set([
  'http',
  'https',
  'urn',
  'ni',
  'geo',
  'tag',
  'did',
  'tel',
  'mailto',
  'ftp',
  'data',
  'info',
  'doi',
  'coap',
  'coaps',
])

/** What is wrong with a text as an absolute URI of an EPCIS document, or nothing. */
export function uriProblem(text: string): Code | undefined {
  if (!isUri(text)) return 'not_a_uri'
  if (/^urn:uuid:/i.test(text)) return uuid.test(text) ? undefined : 'not_a_uri'
  if (/^ni:/i.test(text)) return ni.test(text) ? undefined : 'not_a_uri'
  if (/^urn:/i.test(text) && !/^urn:[a-z\d][a-z\d-]*:./i.test(text)) return 'not_a_uri'
  if (/^https?:/i.test(text) && !URL.canParse(text)) return 'not_a_uri'
  return keyProblem(text)
}

/** Whether a text is what the identifier of an event has to be (SHACL of EPCIS 2.0: a UUID, or a hash). */
export function isEventId(text: string): boolean {
  return uuid.test(text) || ni.test(text)
}

/** The prefix of a compact URI such as `example:part`; nothing for a URI of a known scheme. */
export function prefixOf(text: string): string | undefined {
  const prefix = text.slice(0, text.indexOf(':'))
  return schemes.has(prefix.toLowerCase()) ? undefined : prefix
}

/** An SSCC or GLN in a URI: its digits, and what is wrong with them. */
interface Key {
  readonly digits?: string
  readonly problem?: Code
  /** The extension of a GLN, where it names a place within a place. */
  readonly part?: string
}

function keyProblem(text: string): Code | undefined {
  return (ssccOf(text) ?? glnOf(text))?.problem
}

/** The SSCC of an EPC (URN or GS1 Digital Link), with its check digit; nothing for any other URI. */
export function ssccOf(uri: string): Key | undefined {
  const [, prefix, reference] = /^urn:epc:id:sscc:([^.]*)\.?(.*)$/.exec(uri) ?? []
  if (prefix !== undefined && reference !== undefined) {
    const digits = `${reference.slice(0, 1)}${prefix}${reference.slice(1)}`
    return isPrefix(prefix) && /^\d{17}$/.test(digits) ? { digits: withCheckDigit(digits) } : { problem: 'not_sscc' }
  }
  const key = linked(uri, '00')
  return key === undefined ? undefined : checked(key.digits, /^\d{18}$/, 'not_sscc')
}

/** The GLN of a place (URN or GS1 Digital Link), with its check digit; nothing for any other URI. */
export function glnOf(uri: string): Key | undefined {
  const [, prefix, reference, part] = /^urn:epc:id:sgln:([^.]*)\.?([^.]*)\.?(.*)$/.exec(uri) ?? []
  if (prefix !== undefined && reference !== undefined) {
    const digits = `${prefix}${reference}`
    if (!isPrefix(prefix) || !/^\d{12}$/.test(digits) || !part) return { problem: 'not_gln' }
    return { digits: withCheckDigit(digits), ...(part === '0' ? {} : { part }) }
  }
  const key = linked(uri, '414')
  if (key === undefined) return undefined
  return { ...checked(key.digits, /^\d{13}$/, 'not_gln'), ...(key.rest === '' ? {} : { part: key.rest }) }
}

/** Company prefixes of GS1 have 6 to 12 digits. */
function isPrefix(text: string): boolean {
  return /^\d{6,12}$/.test(text)
}

/** Digital Links of GS1's own domain, whatever stands in them, and of any other where they are well-formed. */
const links = {
  '00': [/^https?:\/\/id\.gs1\.org\/00\/([^/?#]*)(.*)$/i, /^https?:\/\/[^?#]*\/00\/(\d{18})()$/i],
  '414': [/^https?:\/\/id\.gs1\.org\/414\/([^/?#]*)(.*)$/i, /^https?:\/\/[^?#]*\/414\/(\d{13})((?:\/254\/.*)?)$/i],
} as const

/** The value of an application identifier in a Digital Link, and what follows it. */
function linked(
  uri: string,
  identifier: keyof typeof links,
): { readonly digits: string; readonly rest: string } | undefined {
  const [own, other] = links[identifier]
  const found = own.exec(uri) ?? other.exec(uri)
  return found === null ? undefined : { digits: found[1] ?? '', rest: found[2] ?? '' }
}

function checked(digits: string, form: RegExp, problem: Code): Key {
  if (!form.test(digits)) return { problem }
  return hasCheckDigit(digits) ? { digits } : { problem: 'check_digit' }
}

function withCheckDigit(digits: string): string {
  const key = Array.from({ length: 10 }, (_, digit) => `${digits}${digit}`).find(hasCheckDigit)
  return key ?? digits
}

/** Whether a URI names a class of things, or a pattern, and no single thing (EPC Tag Data Standard, section 6). */
export function isClass(uri: string): boolean {
  if (/^urn:epc:(?:class|idpat|pat):/i.test(uri)) return true
  if (/^https?:\/\/[^?#]*\/01\/\d{14}(?:\/(?:10|22)\/[^/?#]+)*(?:[?#].*)?$/i.test(uri)) return true
  return classLink.test(canonicalKey(uri))
}

/** Canonical links of keys without the serial number that makes them name one thing. */
const classLink =
  /^https:\/\/id\.gs1\.org\/(?:(?:01\/\d{14}|8006\/\d{18})(?:\/10\/[^/]+)?|8003\/\d{14}|25[35]\/\d{13}|8010\/[^/]+)$/
