import type { TimelineEvent } from '../../engine/index.ts'
import { segment } from '../shared/subject.ts'
import type { Links } from './links.ts'
import { dateTime, embeddedId, some } from './names.ts'
import { otherIdentifier } from './objects.ts'
import type { LogisticsEvent } from './schema.ts'

const actual: LogisticsEvent['cargo:eventTimeType'] = { '@id': 'cargo:ACTUAL', '@type': 'cargo:EventTimeType' }

/** An event as ONE Record tells it (data model 3.2, `cargo:LogisticsEvent`; linked to exactly one logistics object). */
export function eventOf(event: TimelineEvent, links: Links): LogisticsEvent {
  const { occurred_at, recorded_at, status_code, location, source, pod } = event
  const uri = eventUri(links.piece['@id'], event)
  const { code, words } = links.meaning(status_code)
  const made: LogisticsEvent = {
    '@id': uri,
    '@type': 'cargo:LogisticsEvent',
    'cargo:eventDate': dateTime(occurred_at),
    'cargo:creationDate': dateTime(recorded_at),
    'cargo:eventCode': code,
    'cargo:eventName': nameOf(event, words),
    'cargo:eventTimeType': actual,
    'cargo:eventFor': links.piece,
  }
  const place = location === undefined ? undefined : links.place(location)
  if (place !== undefined) made['cargo:eventLocation'] = place
  if (source?.provider) made['cargo:recordingOrganization'] = links.organization(source.provider)
  if (pod !== undefined) {
    const documents = some(links.documents(pod))
    if (documents !== undefined) made['cargo:externalReferences'] = documents
    if (pod.recipient) made['cargo:involvedParties'] = recipientOf(uri, pod.recipient)
  }
  return made
}

/** Ids are their producers' own, so the producer is part of the name; a segment has no colon. */
function eventUri(piece: string, { event_id, source }: TimelineEvent): string {
  const producer = source?.provider ? `${segment(source.provider)}:` : ''
  return `${piece}/logistics-events/${producer}${segment(event_id)}`
}

/** The only text of an event: what the producer says, or else what the code means, with the reason where there is one. */
function nameOf({ description, incident_reason }: TimelineEvent, words: string): string {
  const text = description || words
  return (incident_reason ? `${text} (${incident_reason})` : text).toWellFormed()
}

/** A person has a first and a last name and a company a role here; of who signed, a text is known. */
function recipientOf(parent: string, recipient: string): LogisticsEvent['cargo:involvedParties'] & object {
  const uri = embeddedId(parent, 'recipient')
  return {
    '@id': uri,
    '@type': 'cargo:Party',
    'cargo:otherIdentifiers': otherIdentifier(uri, 'pod_recipient', recipient),
  }
}
