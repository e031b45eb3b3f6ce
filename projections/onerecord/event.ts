import type { Profile, TimelineEvent } from '../../engine/index.ts'
import { meaningOf } from '../shared/codes.ts'
import { segment } from '../shared/subject.ts'
import {
  cachedPart,
  constant,
  joined,
  object,
  type Plain,
  plain,
  type Template,
  text,
  within,
} from '../shared/template/index.ts'
import { codeIri } from './codes.ts'
import type { Links } from './links.ts'
import { dateTime, embeddedId, linkTo, some } from './names.ts'
import { otherIdentifier } from './objects.ts'
import type { CodeLink, LogisticsEvent } from './schema.ts'

/** The input of one event. Linked objects are given by URI. */
export interface EventInput {
  readonly event: TimelineEvent
  readonly uri: Plain
  readonly code: string
  readonly words: string
  readonly piece: Plain
  readonly place: Plain | undefined
  readonly organization: Plain | undefined
  readonly documents: readonly Plain[]
}

type Party = NonNullable<LogisticsEvent['cargo:involvedParties']>

/**
 * The recipient, as a party with an identifier: a person would need first and last name, a company a role, and we have
 * a text.
 */
const recipient = object<{ readonly uri: Plain; readonly value: string }, Party>({
  '@id': plain(({ uri }) => uri),
  '@type': constant('cargo:Party'),
  'cargo:otherIdentifiers': within(
    ({ uri, value }) => ({ parent: uri, type: 'pod_recipient' as const, value }),
    otherIdentifier,
  ),
})

/** An event (data model, `cargo:LogisticsEvent`). It is linked to exactly one logistics object. */
export const logisticsEvent = object<EventInput, LogisticsEvent>({
  '@id': plain(({ uri }) => uri),
  '@type': constant('cargo:LogisticsEvent'),
  'cargo:eventDate': dateTime(({ event }) => event.occurred_at),
  'cargo:creationDate': dateTime(({ event }) => event.recorded_at),
  'cargo:eventCode': cachedPart(
    ({ code }) => code,
    linkTo(
      'cargo:CodeListElement',
      text((iri: string) => iri),
    ),
  ) as Template<EventInput, CodeLink>,
  'cargo:eventName': text(nameOf),
  'cargo:eventTimeType': constant({ '@id': 'cargo:ACTUAL', '@type': 'cargo:EventTimeType' }),
  'cargo:eventFor': linkTo(
    'cargo:Piece',
    plain(({ piece }: EventInput) => piece),
  ),
  'cargo:eventLocation': linkTo(
    'cargo:Location',
    plain(({ place }: EventInput) => place),
  ),
  'cargo:recordingOrganization': linkTo(
    'cargo:Organization',
    plain(({ organization }: EventInput) => organization),
  ),
  'cargo:externalReferences': some(
    ({ documents }) => documents,
    linkTo(
      'cargo:ExternalReference',
      plain((uri: Plain) => uri),
    ),
  ),
  'cargo:involvedParties': within(({ uri, event }) => recipientOf(uri, event), recipient),
})

/** Makes the input of an event. */
export function eventInput(event: TimelineEvent, profile: Profile, baseUrl: string, links: Links): EventInput {
  const { status_code, location, source, pod } = event
  return {
    event,
    uri: eventUri(links.piece, event),
    code: codeIri(baseUrl, profile, status_code),
    words: meaningOf(profile, status_code) ?? status_code,
    piece: links.piece,
    place: location && links.place(location),
    organization: source?.provider ? links.organization(source.provider) : undefined,
    documents: pod === undefined ? [] : links.documents(pod),
  }
}

/** The URI of an event. Ids are unique only for their producer, so it includes the producer. A segment has no colon. */
export function eventUri(piece: Plain, { event_id, source }: Pick<TimelineEvent, 'event_id' | 'source'>): Plain {
  const producer = source?.provider ? joined(segment(source.provider), ':') : ''
  return joined(piece, '/logistics-events/', producer, segment(event_id))
}

/**
 * The only text of an event: the producer's description or the meaning of the code, and the incident reason if there is
 * one.
 */
function nameOf({ event: { description, incident_reason }, words }: EventInput): string {
  const text = description || words
  return (incident_reason ? `${text} (${incident_reason})` : text).toWellFormed()
}

function recipientOf(parent: Plain, { pod }: TimelineEvent): { uri: Plain; value: string } | undefined {
  return pod?.recipient ? { uri: embeddedId(parent, 'recipient'), value: pod.recipient } : undefined
}
