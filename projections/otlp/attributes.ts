import {
  type Address,
  identifiersOf,
  type Location,
  type ProofOfDelivery,
  type Source,
  type Timeline,
  type TimelineEvent,
} from '../../engine/index.ts'
import type { KeyValue } from './schema.ts'

type Value = string | number | boolean | readonly string[]

/** One attribute. Numbers are always doubles, so that a back end sees one type; texts are UTF-8, as protobuf has them. */
export function attribute(key: string, value: Value): KeyValue {
  if (typeof value === 'string') return { key, value: { stringValue: value.toWellFormed() } }
  if (typeof value === 'boolean') return { key, value: { boolValue: value } }
  if (typeof value === 'number') return { key, value: { doubleValue: value } }
  return { key, value: { arrayValue: { values: value.map((text) => ({ stringValue: text.toWellFormed() })) } } }
}

/** What is known of the subject and of its state; numeric identifiers are texts, which no reader rounds. */
export function journeyAttributes(timeline: Timeline, url: string): KeyValue[] {
  const list = identifiersOf(timeline.subject).map(({ kind, value }) => attribute(`otep.subject.${kind}`, value))
  put(list, 'otep.current_status', timeline.current_status)
  put(list, 'otep.delivered', timeline.delivered)
  put(list, 'otep.timeline_url', url)
  return list
}

/** Everything that is known of an event, a member an attribute. */
export function eventAttributes(event: TimelineEvent): KeyValue[] {
  const list = [
    attribute('otep.event_id', event.event_id),
    attribute('otep.version', event.otep_version),
    attribute('otep.occurred_at', event.occurred_at),
    attribute('otep.recorded_at', event.recorded_at),
    attribute('otep.status_code', event.status_code),
    attribute('otep.phase', event.phase),
  ]
  if (event.location !== undefined) putLocation(list, event.location)
  if (event.source !== undefined) putSource(list, event.source)
  put(list, 'otep.incident_reason', event.incident_reason)
  put(list, 'otep.description', event.description)
  if (event.pod !== undefined) putProof(list, event.pod)
  put(list, 'otep.estimated_delivery_at', event.estimated_delivery_at)
  put(list, 'otep.synthesized', event.synthesized)
  put(list, 'otep.withdrawn.declared_at', event.withdrawn?.declared_at)
  put(list, 'otep.withdrawn.reason', event.withdrawn?.reason)
  return list
}

function putLocation(list: KeyValue[], location: Location): void {
  put(list, 'otep.location.name', location.name)
  put(list, 'otep.location.unlocode', location.unlocode)
  put(list, 'otep.location.gln', location.gln)
  put(list, 'otep.location.latitude', location.latitude)
  put(list, 'otep.location.longitude', location.longitude)
  if (location.address !== undefined) putAddress(list, location.address)
}

function putAddress(list: KeyValue[], address: Address): void {
  put(list, 'otep.location.address.street', address.street)
  put(list, 'otep.location.address.locality', address.locality)
  put(list, 'otep.location.address.region', address.region)
  put(list, 'otep.location.address.postal_code', address.postal_code)
  put(list, 'otep.location.address.country', address.country)
}

function putSource(list: KeyValue[], source: Source): void {
  put(list, 'otep.source.type', source.type)
  put(list, 'otep.source.provider', source.provider)
  put(list, 'otep.source.code', source.code)
}

function putProof(list: KeyValue[], pod: ProofOfDelivery): void {
  put(list, 'otep.pod.recipient', pod.recipient)
  put(list, 'otep.pod.signed_at', pod.signed_at)
  put(list, 'otep.pod.signature_url', pod.signature_url)
  put(list, 'otep.pod.photo_urls', pod.photo_urls)
  put(list, 'otep.pod.note', pod.note)
}

function put(list: KeyValue[], key: string, value: Value | undefined): void {
  if (value !== undefined) list.push(attribute(key, value))
}
