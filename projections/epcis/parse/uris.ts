import { type Code, canonicalKey, hasCheckDigit } from '../../../engine/index.ts'
import { isUri } from '../../shared/subject.ts'

const uuid = /^urn:uuid:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
/** As ids are written nearly always; a text is compared faster if the case of its letters matters. */
const usualNi = /^ni:\/\/\/sha-256;[\dA-Fa-f]{64}\?ver=CBV2\.0$/
const ni = /^ni:\/\/\/sha-256;[\da-f]{64}(?:\?ver=CBV\d+(?:\.\d+)*)?$/i

/** Known schemes; with any other word before the colon, a text is a compact URI. */
const knownScheme = /^(?:https?|urn|ni|geo|tag|did|tel|mailto|ftp|data|info|doi|coaps?):/i

/** URIs that need no further check: with a host in letters (no punycode) without port or user, or without a host. */
const plainUri =
  /^(?:https?:\/\/(?:[a-z\d.]+-)*[a-z\d.]*[a-z](?=[/?]|$)|urn:(?!uuid:)[a-z\d][a-z\d-]*:(?=[^?])|(?!https?:|urn:|ni:|ftp:|wss?:|file:)[a-z][a-z\d+.-]*:(?=[^/?]))[\w\-.~:/?@!$&'()*+,;=]*$/i

/**
 * Texts that `URL` accepts and RFC 3986 does not, such as two users of a host; and those that the `uri` of JSON Schema
 * does not accept, such as a query alone.
 */
const oddUri = /^[^:]*:(?:\?|\/\/[^/?#]*@[^/?#]*@)/

/** URIs that can contain an SSCC or a GLN. */
const keyed = /\/(?:00|414)\/|^urn:epc:id:s(?:scc|gln):/

/** The problem of a text as an absolute URI of an EPCIS document; undefined if it is valid. */
export function uriProblem(text: string): Code | undefined {
  if (!isAbsolute(text)) return 'not_a_uri'
  return keyed.test(text) ? keyProblem(text) : undefined
}

/** Whether a text is an absolute URI, whatever it names. */
export function isAbsolute(text: string): boolean {
  return plainUri.test(text) || isRareUri(text)
}

function isRareUri(text: string): boolean {
  if (!isUri(text) || oddUri.test(text)) return false
  if (/^urn:uuid:/i.test(text)) return uuid.test(text)
  if (/^ni:/i.test(text)) return ni.test(text)
  return !/^urn:/i.test(text) || /^urn:[a-z\d][a-z\d-]*:./i.test(text)
}

/** A URI as the judges of JSON have it: by the grammar of RFC 3986, with something after the scheme. */
const judgedUri =
  /^[a-z][a-z\d+.-]*:(?:\/(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*|(?:[\w\-.~!$&'()*+,;=:@]|%[\da-f]{2})(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*|\/\/(?:[\w\-.~!$&'()*+,;=:]*@)?\[[\da-f:.]+\](?::\d*)?(?:\/(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*)?)(?:\?(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*)?(?:#(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*)?$/i

/** Whether a text is an absolute URI for the judges of JSON documents, which know nothing of schemes. */
export function isUriOfJudges(text: string): boolean {
  return plainUri.test(text) || judgedUri.test(text)
}

/** Whether a text can be the IRI of a name in a context; JSON-LD knows no more of its form. */
export function isIri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]*$/i.test(text)
}

/** Characters that the XML Schema takes in a URI although a URI must not have them. */
const escapable = /[^\u0021-\u007e]|[<>"{}|\\^`]/gu

const judgedReference =
  /^(?:\/\/(?:[\w\-.~!$&'()*+,;=:%]*@)?(?:\[[^\]]*\]|(?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})*)(?::\d{0,9})?(?=[/?#]|$)|(?!\/\/))(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*(?:\?(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*)?(?:#(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*)?$/i

/** Whether a text is an `anyURI` of XML Schema: a URI, also a relative one, or one that has to be escaped first. */
export function isAnyUri(text: string): boolean {
  if (plainUri.test(text)) return true
  const escaped = text.replace(escapable, '_')
  const [before = '', scheme] = /^[^/?#:]*(:)?/.exec(escaped) ?? []
  if (scheme === undefined) return judgedReference.test(escaped)
  return /^[a-z][a-z\d+.-]*:$/i.test(before) && judgedReference.test(escaped.slice(before.length))
}

/** Whether a text is a valid id of an event (SHACL of EPCIS 2.0: a UUID, or a hash). */
export function isEventId(text: string): boolean {
  return usualNi.test(text) || uuid.test(text) || ni.test(text)
}

/** The prefix of a compact URI such as `example:part`; undefined for a URI with a known scheme. */
export function prefixOf(text: string): string | undefined {
  return knownScheme.test(text) ? undefined : text.slice(0, text.indexOf(':'))
}

/** An SSCC or GLN in a URI: its digits, and its problem if it is invalid. */
interface Key {
  readonly digits?: string
  readonly problem?: Code
  /** The extension of a GLN, if it names a part of the place. */
  readonly part?: string
}

function keyProblem(text: string): Code | undefined {
  if (text.startsWith('urn:epc:id:sscc:')) return ssccUrn.test(text) ? undefined : 'not_sscc'
  if (text.startsWith('urn:epc:id:sgln:')) return glnUrn.test(text) ? undefined : 'not_gln'
  return (ssccOf(text) ?? glnOf(text))?.problem
}

/** EPCs with a company prefix of 6 to 12 digits; prefix and reference together have the length of the key. */
const ssccUrn = /^urn:epc:id:sscc:(?=[\d.]{18}$)(\d{6,12})\.(\d)(\d*)$/
const glnUrn = /^urn:epc:id:sgln:(?=[\d.]{13}\.)(\d{6,12})\.(\d*)\.(.+)$/

/** The SSCC of an EPC (URN or GS1 Digital Link), with its check digit; undefined for any other URI. */
export function ssccOf(uri: string): Key | undefined {
  if (uri.startsWith('urn:epc:id:sscc:')) {
    const [, prefix = '', first = '', rest = ''] = ssccUrn.exec(uri) ?? []
    return prefix === '' ? { problem: 'not_sscc' } : { digits: withCheckDigit(`${first}${prefix}${rest}`) }
  }
  const key = linked(uri, '00')
  return key === undefined ? undefined : checked(key.digits, /^\d{18}$/, 'not_sscc')
}

/** The GLN of a place (URN or GS1 Digital Link), with its check digit; undefined for any other URI. */
export function glnOf(uri: string): Key | undefined {
  if (uri.startsWith('urn:epc:id:sgln:')) {
    const [, prefix = '', reference = '', part] = glnUrn.exec(uri) ?? []
    if (prefix === '') return { problem: 'not_gln' }
    return { digits: withCheckDigit(`${prefix}${reference}`), ...(part === '0' ? {} : { part }) }
  }
  const key = linked(uri, '414')
  if (key === undefined) return undefined
  return { ...checked(key.digits, /^\d{13}$/, 'not_gln'), ...(key.rest === '' ? {} : { part: key.rest }) }
}

/** Digital Links of GS1's own domain in any form, and of other domains if they are well-formed. */
const links = {
  '00': [/^https?:\/\/id\.gs1\.org\/00\/([^/?#]*)(.*)$/i, /^https?:\/\/[^?#]*\/00\/(\d{18})()$/i],
  '414': [/^https?:\/\/id\.gs1\.org\/414\/([^/?#]*)(.*)$/i, /^https?:\/\/[^?#]*\/414\/(\d{13})((?:\/254\/.*)?)$/i],
} as const

/** The value of an application identifier in a Digital Link, and the path after it. */
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

/**
 * Whether a URI names a class of things, or a pattern, instead of a single thing (EPC Tag Data Standard, section 6).
 */
export function isClass(uri: string): boolean {
  if (/^urn:epc:(?:class|idpat|pat):/i.test(uri)) return true
  if (/^https?:\/\/[^?#]*\/01\/\d{14}(?:\/(?:10|22)\/[^/?#]+)*(?:[?#].*)?$/i.test(uri)) return true
  return classLink.test(canonicalKey(uri))
}

/** Canonical links of keys without the serial number that would identify a single thing. */
const classLink =
  /^https:\/\/id\.gs1\.org\/(?:(?:01\/\d{14}|8006\/\d{18})(?:\/10\/[^/]+)?|8003\/\d{14}|25[35]\/\d{13}|8010\/[^/]+)$/
