import { type Identifier, identifierKinds, type Subject, type Target } from '../../engine/index.ts'
import { encodedUrl, joined, type Plain } from './template/index.ts'

/** The identifier that names a subject best; a subject without any has an empty tracking number. */
export function nameOf(subject: Subject): Identifier {
  for (const kind of identifierKinds) {
    const value = subject[kind]
    if (value !== undefined) return { kind, value: String(value) }
  }
  return { kind: 'tracking_number', value: '' }
}

const digitalLink = 'https://id.gs1.org/00/'

/** What is a URI as it stands: a scheme, and no character that a URI does not have (RFC 3986). */
const uri = /^[a-z][a-z\d+.-]*:[\w\-.~:/?@!$&'()*+,;=%]+(?:#[\w\-.~:/?@!$&'()*+,;=%]*)?$/i

/** Whether a text is an absolute URI (RFC 3986) as it stands. */
export function isUri(text: string): boolean {
  return uri.test(text) && !/%(?![\da-f]{2})/i.test(text) && URL.canParse(text)
}

/**
 * The URI of an identifier: an SSCC as GS1 Digital Link, a piece id that is a URI as it stands, any other as
 * `{baseUrl}/id/{kind}/{value}`, where this server answers it.
 */
export function identifierUri(baseUrl: string, { kind, value }: Identifier): string {
  if (kind === 'gs1_sscc') return `${digitalLink}${value}`
  if (kind === 'piece_id' && isUri(value) && identifierOf(baseUrl, value) === undefined) return value
  return `${baseUrl}/id/${kind}/${segment(value)}`
}

/** The identifier that a URI of `identifierUri` stands for; nothing for any other URI. */
export function identifierOf(baseUrl: string, text: string): Identifier | undefined {
  if (text.startsWith(digitalLink)) {
    const value = text.slice(digitalLink.length)
    return /^\d{18}$/.test(value) ? { kind: 'gs1_sscc', value } : undefined
  }
  const prefix = `${baseUrl}/id/`
  if (!text.startsWith(prefix)) return undefined
  const [kind, value = '', ...rest] = text.slice(prefix.length).split('/')
  const known = identifierKinds.find((name) => name === kind)
  if (known === undefined || value === '' || rest.length > 0) return undefined
  try {
    return { kind: known, value: decodeURIComponent(value) }
  } catch {
    return undefined
  }
}

/** Where a timeline is read: under its own name, where it has one, or under the identifier that names it best. */
export function timelineUrl({ baseUrl, timeline }: Target, subject: Subject): Plain {
  return joined(encodedUrl(baseUrl), '/api/v1/otep/trackings/', segment(timeline ?? nameOf(subject).value))
}

/** The subject that an identifier makes by itself; nothing where a numeric one is no number. */
export function subjectOf({ kind, value }: Identifier): Subject | undefined {
  if (kind !== 'order_id' && kind !== 'package_id') return { [kind]: value }
  const number = Number(value)
  return /^\d+$/.test(value) && Number.isSafeInteger(number) ? { [kind]: number } : undefined
}

/** What stands in a path as it is (RFC 3986); of dots, only those that are not alone. */
const unreserved = /^[\w~-]+$/

/** A text as one segment of a path; dots alone would be taken for the way up. */
export function segment(text: string): Plain {
  return (unreserved.test(text) ? text : encodedSegment(text)) as Plain
}

function encodedSegment(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, percent)
  return /^\.+$/.test(encoded) ? encoded.replaceAll('.', '%2E') : encoded
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
