import type { BodyFormat } from '../../../engine/index.ts'
import type { Envelope } from '../../node/deliveries.ts'

/** What comes before the name of a notice in `ce-type`. */
const typePrefix = 'io.otep.'

/** What a body is put into a request as: the media type of its format. */
export function contentTypeOf(format: BodyFormat): string {
  return format === 'ce_structured' ? 'application/cloudevents+json' : 'application/json'
}

/**
 * The CloudEvent that is sent in `ce_structured`: the native body stands in `data` as it is, byte for byte. It is the same
 * at every attempt, so the number of the attempt is not in it.
 */
export function structuredBody(envelope: Envelope, native: Uint8Array, baseUrl: string): Uint8Array {
  const attributes = { ...attributesOf(envelope, baseUrl), datacontenttype: contentTypeOf('native') }
  const head = JSON.stringify(attributes).slice(0, -1)
  return Buffer.concat([Buffer.from(`${head},"data":`), native, Buffer.from('}')])
}

/** The headers that make a CloudEvent of a request in `ce_binary`. */
export function eventHeaders(envelope: Envelope, attempt: number, baseUrl: string): Readonly<Record<string, string>> {
  const attributes = { ...attributesOf(envelope, baseUrl), otepattempt: String(attempt) }
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`ce-${name}`, encoded(value)]))
}

/** The attributes of a delivery. The id of the business is text in both modes: an Integer of CloudEvents has 32 bits. */
function attributesOf(envelope: Envelope, baseUrl: string): Readonly<Record<string, string>> {
  const { event, eventId, subject, occurredAt, businessId } = envelope
  return {
    specversion: '1.0',
    id: eventId,
    source: `${baseUrl}/businesses/${businessId}`,
    type: typePrefix + event,
    subject,
    time: occurredAt,
    dataschema: `${baseUrl}/asyncapi-webhooks.json#/components/schemas/${event}`,
    otepbusinessid: String(businessId),
  }
}

const unsafe = /[^\x21\x23\x24\x26-\x7e]/

/** As a header may have it (CloudEvents HTTP binding, section 3.1.3.2). What we send is safe, and stays as it is. */
function encoded(value: string): string {
  return unsafe.test(value) ? value.toWellFormed().replace(/[^\x21\x23\x24\x26-\x7e]/gu, encodeURIComponent) : value
}
