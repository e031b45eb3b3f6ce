import {
  hasCheckDigit,
  type Identifier,
  identifierKinds,
  type Subject,
  type Target,
  type TimelineEvent,
} from '../../engine/index.ts'
import { encodedUrl, joined, type Plain } from './template/index.ts'

/** The preferred identifier of a subject. A subject without identifiers gets an empty tracking number. */
export function nameOf(subject: Subject): Identifier {
  for (const kind of identifierKinds) {
    const value = subject[kind]
    if (value !== undefined) return { kind, value: String(value) }
  }
  return { kind: 'tracking_number', value: '' }
}

/** The container that an event is inherited from, by its preferred identifier. */
export function containerOf({ inherited_from }: TimelineEvent): string | undefined {
  return inherited_from === undefined ? undefined : nameOf(inherited_from).value
}

const digitalLink = 'https://id.gs1.org/00/'

/** A URI: a scheme, and only characters that a URI may have (RFC 3986). */
const uri = /^[a-z][a-z\d+.-]*:[\w\-.~:/?@!$&'()*+,;=%]+(?:#[\w\-.~:/?@!$&'()*+,;=%]*)?$/i

/** Whether a text is an absolute URI (RFC 3986). */
export function isUri(text: string): boolean {
  return uri.test(text) && !/%(?![\da-f]{2})/i.test(text) && URL.canParse(text)
}

/**
 * The URI of an identifier: the GS1 Digital Link of an SSCC, the piece id itself if it is a URI, otherwise
 * `{baseUrl}/id/{kind}/{value}`, which this server answers.
 */
export function identifierUri(baseUrl: string, { kind, value }: Identifier): string {
  if (kind === 'gs1_sscc') return `${digitalLink}${value}`
  if (kind === 'piece_id' && isUri(value) && identifierOf(baseUrl, value) === undefined) return value
  return `${baseUrl}/id/${kind}/${segment(value)}`
}

/** The identifier of a URI that `identifierUri` made. Undefined for any other URI. */
export function identifierOf(baseUrl: string, text: string): Identifier | undefined {
  if (text.startsWith(digitalLink)) {
    const value = text.slice(digitalLink.length)
    return /^\d{18}$/.test(value) && hasCheckDigit(value) ? { kind: 'gs1_sscc', value } : undefined
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

/** The URL of a timeline: by its own name if it has one, otherwise by its preferred identifier. */
export function timelineUrl({ baseUrl, timeline }: Target, subject: Subject): Plain {
  return joined(encodedUrl(baseUrl), '/api/v1/otep/trackings/', segment(timeline ?? nameOf(subject).value))
}

/** A subject with only this identifier. Undefined if the identifier has to be a number and is not one. */
export function subjectOf({ kind, value }: Identifier): Subject | undefined {
  if (kind !== 'order_id' && kind !== 'package_id') return { [kind]: value }
  const number = Number(value)
  return /^\d+$/.test(value) && Number.isSafeInteger(number) ? { [kind]: number } : undefined
}

/** Text that needs no escape in a path (RFC 3986). Dots are left out, because `.` and `..` have a meaning. */
const unreserved = /^[\w~-]+$/

/** A text as one segment of a path. A segment of dots alone is encoded, because `..` would lead up. */
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
