import {
  type Identifier,
  identifiersOf,
  type Location,
  type ProofOfDelivery,
  type Subject,
} from '../../engine/index.ts'
import { places } from '../shared/identity.ts'
import { placeText } from '../shared/place.ts'
import {
  cached,
  cachedPart,
  constant,
  object,
  type Plain,
  plain,
  type Template,
  text,
  within,
  wrapped,
} from '../shared/template/index.ts'
import { double, embeddedId, linkTo, some } from './names.ts'
import type { CodeLink, Embedded, LogisticsObject, Piece, Place } from './schema.ts'

type ProofType = 'signature' | 'photo'

type ObjectOf<Type> = Extract<LogisticsObject, { '@type': Type }>

/** The input of an identifier that the model has no member for: its owner, its kind and its value. */
interface Identified {
  readonly parent: string
  readonly type: Identifier['kind'] | 'pod_recipient'
  readonly value: string
}

/** An identifier that the model has no member for. */
export const otherIdentifier = object<Identified, Embedded>({
  '@id': plain(({ parent, type }) => embeddedId(parent, type)),
  '@type': constant('cargo:OtherIdentifier'),
  'cargo:otherIdentifierType': plain(({ type }) => type),
  'cargo:textualValue': text(({ value }) => value.toWellFormed()),
})

/** A subject, and the URIs of its piece and of the shipment that the piece is of. */
interface Piecemeal {
  readonly uri: Plain
  readonly subject: Subject
  readonly shipment: Plain | undefined
}

/** The parcel with all its identifiers (data model, `cargo:Piece`). */
export const piece = object<Piecemeal, Piece>({
  '@id': plain(({ uri }) => uri),
  '@type': constant('cargo:Piece'),
  'cargo:upid': text(({ subject }) => subject.piece_id?.toWellFormed()),
  'cargo:otherIdentifiers': some(othersOf, otherIdentifier),
  'cargo:ofShipment': linkTo(
    'cargo:Shipment',
    plain(({ shipment }) => shipment),
  ),
})

function othersOf({ uri, subject }: Piecemeal): readonly Identified[] {
  const others = identifiersOf(subject).filter(({ kind }) => kind !== 'piece_id')
  return others.map(({ kind, value }) => ({ parent: uri, type: kind, value }))
}

/** A place and its URI. */
interface Placed {
  readonly uri: Plain
  readonly location: Location
}

/** A code, given by its IRI. Left out if the text is empty or missing. */
function codeAt<Input>(list: string, get: (input: Input) => string | undefined): Template<Input, CodeLink | undefined> {
  return wrapped(
    (iri): CodeLink => ({ '@id': iri, '@type': 'cargo:CodeListElement' }),
    text((input) => {
      const code = get(input)
      return code ? `${list}${code}` : undefined
    }),
  )
}

const wellFormed = (value: string | undefined) => (value ? value.toWellFormed() : undefined)

const address = object<Placed, NonNullable<Place['cargo:address']>>({
  '@id': plain(({ uri }) => embeddedId(uri, 'address')),
  '@type': constant('cargo:Address'),
  'cargo:streetAddressLines': text(({ location }) => wellFormed(location.address?.street)),
  'cargo:cityName': text(({ location }) => wellFormed(location.address?.locality)),
  'cargo:textualPostCode': text(({ location }) => wellFormed(location.address?.postal_code)),
  'cargo:country': codeAt('https://vocabulary.uncefact.org/CountryId#', ({ location }) => location.address?.country),
})

const hasAddress = ({ location: { address = {} } }: Pick<Placed, 'location'>) =>
  Boolean(address.street || address.locality || address.postal_code || address.country)

const geolocation = object<Placed, NonNullable<Place['cargo:geolocation']>>({
  '@id': plain(({ uri }) => embeddedId(uri, 'geolocation')),
  '@type': constant('cargo:Geolocation'),
  'cargo:latitude': double(({ location }) => location.latitude),
  'cargo:longitude': double(({ location }) => location.longitude),
})

const hasPoint = ({ location: { latitude, longitude } }: Pick<Placed, 'location'>) =>
  latitude !== undefined || longitude !== undefined

const iris = ({ unlocode, gln }: Location) => [
  ...(unlocode ? [`https://vocabulary.uncefact.org/unlocode#${unlocode}`] : []),
  ...(gln ? [`https://id.gs1.org/414/${gln}`] : []),
]

const codes = some(
  iris,
  codeAt('', (iri: string) => iri),
) as Template<Location, Place['cargo:locationCodes']>

/** A place as the model can describe it: it has no member for a region, so that one is only the name of a place without any other. */
export function carried({ name, unlocode, gln, latitude, longitude, address = {} }: Location): Location {
  const { street, locality, postal_code, country, region } = address
  const texts = { street, locality, postal_code, country }
  const known = Object.fromEntries(Object.entries(texts).filter(([, value]) => value))
  const shown = wellFormed(name || Object.keys(known).length > 0 ? name : region)
  return {
    ...(shown !== undefined && { name: shown }),
    ...(unlocode && { unlocode }),
    ...(gln && { gln }),
    ...(latitude !== undefined && { latitude }),
    ...(longitude !== undefined && { longitude }),
    address: known,
  }
}

/** The name of a place, or else its address. Codes and coordinates have their own members. */
const nameOf = cached((location: Location) => {
  const { name, address } = carried(location)
  return placeText({
    ...(name === undefined ? {} : { name }),
    ...(address === undefined ? {} : { address }),
  })?.toWellFormed()
}, places)

/** A place (data model, `cargo:Location`). */
export const place = object<Placed, Place>({
  '@id': plain(({ uri }) => uri),
  '@type': constant('cargo:Location'),
  'cargo:locationName': text(({ location }) => nameOf(location)),
  'cargo:locationCodes': cachedPart(({ location }) => location, codes, places),
  'cargo:address': within((placed) => (hasAddress(placed) ? placed : undefined), address),
  'cargo:geolocation': within((placed) => (hasPoint(placed) ? placed : undefined), geolocation),
})

/** Whether the model can describe anything of a place. */
export function isDescribable(location: Location): boolean {
  const placed = { location }
  return nameOf(location) !== undefined || iris(location).length > 0 || hasAddress(placed) || hasPoint(placed)
}

/** The organization that recorded an event. Only its name is known. */
export const organization = object<{ readonly uri: Plain; readonly name: string }, ObjectOf<'cargo:Organization'>>({
  '@id': plain(({ uri }) => uri),
  '@type': constant('cargo:Organization'),
  'cargo:name': text(({ name }) => name.toWellFormed()),
})

/** A picture: its URI here, what it shows, and its own URL. */
interface Proof {
  readonly uri: Plain
  readonly type: ProofType
  readonly link: string
}

/** An external document that an event refers to (data model, `cargo:ExternalReference`). */
export const proofDocument = object<Proof, ObjectOf<'cargo:ExternalReference'>>({
  '@id': plain(({ uri }) => uri),
  '@type': constant('cargo:ExternalReference'),
  'cargo:documentType': plain(({ type }) => type),
  'cargo:documentLink': text(({ link }) => link.toWellFormed()),
})

/** The pictures of a proof of delivery without duplicates: what each shows, and its URL. */
export function proofsOf({
  signature_url,
  photo_urls = [],
}: ProofOfDelivery): readonly (readonly [ProofType, string])[] {
  const photos = [...new Set(photo_urls)].map((link) => ['photo', link] as const)
  return signature_url === undefined ? photos : [['signature', signature_url], ...photos]
}
