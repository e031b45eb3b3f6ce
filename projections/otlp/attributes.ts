import {
  type Address,
  identifierKinds,
  type Location,
  type ProofOfDelivery,
  type Source,
  type Timeline,
  type TimelineEvent,
  type Withdrawal,
} from '../../engine/index.ts'
import { places, sources } from '../shared/identity.ts'
import { containerOf } from '../shared/subject.ts'
import {
  cachedPart,
  flag,
  list,
  number,
  several,
  some,
  type Template,
  text,
  within,
  wrapped,
} from '../shared/template/index.ts'
import type { KeyValue } from './schema.ts'

/** An attribute. Left out if it has no value. */
type Attribute<Input> = Template<Input, KeyValue | undefined>

/** A journey as it was known when it ended, and the URL of its timeline. */
export interface Journey {
  readonly timeline: Pick<Timeline, 'subject' | 'delivered'> & { readonly current_status: string }
  readonly url: string
}

/** What the spans of one source share. */
export interface Resource {
  readonly service: string
  readonly timeline: Pick<Timeline, 'profile' | 'otep_version'>
}

/** The identifiers and the state of a journey. Numeric identifiers are texts, so that no reader rounds them. */
export const journeyAttributes = several<Journey, KeyValue | undefined>(
  ...identifierKinds.map((kind) =>
    textual(
      `otep.subject.${kind}`,
      text(({ timeline: { subject } }: Journey) => subject[kind]?.toString().toWellFormed()),
    ),
  ),
  often('otep.current_status', ({ timeline }) => timeline.current_status),
  truth('otep.delivered', ({ timeline }) => timeline.delivered),
  free('otep.timeline_url', ({ url }) => url),
)

const locationAttributes = several<Location, KeyValue | undefined>(
  free('otep.location.name', ({ name }) => name),
  free('otep.location.unlocode', ({ unlocode }) => unlocode),
  free('otep.location.gln', ({ gln }) => gln),
  double('otep.location.latitude', ({ latitude }) => latitude),
  double('otep.location.longitude', ({ longitude }) => longitude),
  free('otep.location.address.street', ({ address }) => address?.street),
  free('otep.location.address.locality', ({ address }) => address?.locality),
  free('otep.location.address.region', ({ address }) => address?.region),
  free('otep.location.address.postal_code', ({ address }) => address?.postal_code),
  free('otep.location.address.country', ({ address }) => address?.country),
  double('geo.location.lat', ({ latitude }) => latitude),
  double('geo.location.lon', ({ longitude }) => longitude),
  free('geo.locality.name', ({ address }) => address?.locality),
  free('geo.region.iso_code', ({ address }) => regionOf(address)),
  free('geo.postal_code', ({ address }) => address?.postal_code),
  free('geo.country.iso_code', ({ address }) => address?.country),
)

/** The code of a region (ISO 3166-2), if it is written as one. */
function regionOf({ country = '', region = '' }: Address = {}): string | undefined {
  if (/^[A-Z]{2}-[A-Z\d]{1,3}$/.test(region)) return region
  return country !== '' && /^[A-Z\d]{1,3}$/.test(region) ? `${country}-${region}` : undefined
}

const sourceAttributes = several<Source, KeyValue | undefined>(
  free('otep.source.type', ({ type }) => type),
  free('otep.source.provider', ({ provider }) => provider),
  free('otep.source.code', ({ code }) => code),
)

const proofAttributes = several<ProofOfDelivery, KeyValue | undefined>(
  free('otep.pod.recipient', ({ recipient }) => recipient),
  simple('otep.pod.signed_at', ({ signed_at }) => signed_at),
  free('otep.pod.signature_url', ({ signature_url }) => signature_url),
  texts('otep.pod.photo_urls', ({ photo_urls }) => photo_urls),
  free('otep.pod.note', ({ note }) => note),
)

const withdrawalAttributes = several<Withdrawal, KeyValue | undefined>(
  simple('otep.withdrawn.declared_at', ({ declared_at }) => declared_at),
  free('otep.withdrawn.reason', ({ reason }) => reason),
)

/** All members of an event, one attribute for each. */
export const eventAttributes = several<TimelineEvent, KeyValue | undefined>(
  free('otep.event_id', ({ event_id }) => event_id),
  often('otep.version', ({ otep_version }) => otep_version),
  simple('otep.occurred_at', ({ occurred_at }) => occurred_at),
  simple('otep.recorded_at', ({ recorded_at }) => recorded_at),
  often('otep.status_code', ({ status_code }) => status_code),
  often('otep.phase', ({ phase }) => phase),
  cachedPart(({ location }) => location, locationAttributes, places),
  cachedPart(({ source }) => source, sourceAttributes, sources),
  often('otep.incident_reason', ({ incident_reason }) => incident_reason),
  free('otep.description', ({ description }) => description),
  within(({ pod }) => pod, proofAttributes),
  simple('otep.estimated_delivery_at', ({ estimated_delivery_at }) => estimated_delivery_at),
  simple('otep.estimated_delivery_from', ({ estimated_delivery_from }) => estimated_delivery_from),
  truth('otep.synthesized', ({ synthesized }) => synthesized),
  free('otep.inherited_from', containerOf),
  within(({ withdrawn }) => withdrawn, withdrawalAttributes),
)

/** The kind of a failure, by which back ends count. */
export const errorType = often<{ readonly errorType: string | undefined }>('error.type', ({ errorType: type }) => type)

/** The attributes of a resource. */
export const resourceAttributes = some<Resource, KeyValue | undefined>(
  often('service.name', ({ service }) => service),
  often('otep.version', ({ timeline }) => timeline.otep_version),
  often('otep.profile', ({ timeline }) => timeline.profile),
)

/** A text attribute. */
function textual<Input>(key: string, value: Template<Input, string | undefined>): Attribute<Input> {
  return wrapped((stringValue): KeyValue => ({ key, value: { stringValue } }), value)
}

/** A text attribute. Unpaired surrogates are replaced, because protobuf texts are UTF-8. */
function free<Input>(key: string, get: (input: Input) => string | undefined): Attribute<Input> {
  return textual(
    key,
    text((input) => get(input)?.toWellFormed()),
  )
}

/** A text attribute with a cache, for words that recur. */
function often<Input>(key: string, get: (input: Input) => string | undefined): Attribute<Input> {
  return cachedPart(
    get,
    free(key, (value: string) => value),
  )
}

/** An instant. */
function simple<Input>(key: string, get: (input: Input) => string | undefined): Attribute<Input> {
  return textual(key, text(get))
}

/** A number, always as a double, so that back ends see one type. */
function double<Input>(key: string, get: (input: Input) => number | undefined): Attribute<Input> {
  return wrapped((doubleValue): KeyValue => ({ key, value: { doubleValue } }), number(get))
}

function truth<Input>(key: string, get: (input: Input) => boolean | undefined): Attribute<Input> {
  return wrapped((boolValue): KeyValue => ({ key, value: { boolValue } }), flag(get))
}

function texts<Input>(key: string, get: (input: Input) => readonly string[] | undefined): Attribute<Input> {
  const item = wrapped(
    (stringValue) => ({ stringValue }),
    text((one: string) => one.toWellFormed()),
  )
  const value = list(get, item)
  return wrapped((values): KeyValue => ({ key, value: { arrayValue: { values } } }), value)
}
