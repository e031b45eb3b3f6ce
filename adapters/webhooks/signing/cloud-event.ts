import type { BodyFormat } from '../../../engine/index.ts'
import type { Envelope } from '../../node/deliveries.ts'

/** Prefix of the event name in `ce-type`. */
const typePrefix = 'io.otep.'

/** The media type of a body format. */
export function contentTypeOf(format: BodyFormat): string {
  return format === 'ce_structured' ? 'application/cloudevents+json' : 'application/json'
}

/**
 * The CloudEvent for `ce_structured`; `data` holds the native body byte for byte. It is the same at every attempt, so
 * it does not contain the attempt number.
 */
export function structuredBody(envelope: Envelope, native: Uint8Array, publicUrl: string | undefined): Uint8Array {
  const attributes = { ...attributesOf(envelope, publicUrl), datacontenttype: contentTypeOf('native') }
  const head = JSON.stringify(attributes).slice(0, -1)
  return Buffer.concat([Buffer.from(`${head},"data":`), native, Buffer.from('}')])
}

/** The headers of a CloudEvent in `ce_binary`. */
export function eventHeaders(
  envelope: Envelope,
  attempt: number,
  publicUrl: string | undefined,
): Readonly<Record<string, string>> {
  const attributes = { ...attributesOf(envelope, publicUrl), otepattempt: String(attempt) }
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`ce-${name}`, encoded(value)]))
}

/**
 * The CloudEvents attributes of a delivery. Without a public address the source is a relative reference, which stays the
 * same wherever the server listens, and there is no `dataschema`, which has to be absolute. The business id is text in both
 * modes, because a CloudEvents Integer has 32 bits.
 */
function attributesOf(envelope: Envelope, publicUrl: string | undefined): Readonly<Record<string, string>> {
  const { event, eventId, subject, occurredAt, businessId, sequence } = envelope
  return {
    specversion: '1.0',
    id: eventId,
    source: `${publicUrl ?? ''}/businesses/${businessId}`,
    type: typePrefix + event,
    subject,
    time: occurredAt,
    ...(publicUrl === undefined
      ? {}
      : { dataschema: `${publicUrl}/asyncapi-webhooks.json#/components/schemas/${event}` }),
    otepbusinessid: String(businessId),
    ...(sequence === undefined ? {} : { sequence }),
  }
}

const unsafe = /[^\x21\x23\x24\x26-\x7e]/

/** Encodes a value for a header (CloudEvents HTTP binding, section 3.1.3.2). Our own values need no encoding. */
function encoded(value: string): string {
  return unsafe.test(value) ? value.toWellFormed().replace(/[^\x21\x23\x24\x26-\x7e]/gu, encodeURIComponent) : value
}
