import { identifiersOf, type Location, type ProofOfDelivery, type Subject } from '../../engine/index.ts'
import { placeText } from '../shared/place.ts'
import { double, embeddedId, objectUri, some } from './names.ts'
import type { CodeLink, Embedded, LogisticsObject, Piece, Place } from './schema.ts'

type ProofType = 'signature' | 'photo'

type ObjectOf<Type> = Extract<LogisticsObject, { '@type': Type }>

/** The parcel with every identifier that it has (data model 3.2, `cargo:Piece`). */
export function pieceOf(root: string, subject: Subject): Piece {
  const uri = `${root}/logistics-objects/piece`
  const others = some(
    identifiersOf(subject)
      .filter(({ kind }) => kind !== 'piece_id')
      .map(({ kind, value }) => otherIdentifier(uri, kind, value)),
  )
  return {
    '@id': uri,
    '@type': 'cargo:Piece',
    ...(subject.piece_id === undefined ? {} : { 'cargo:upid': subject.piece_id.toWellFormed() }),
    ...(others === undefined ? {} : { 'cargo:otherIdentifiers': others }),
  }
}

/** An identifier that the model has no member for, with what it is. */
export function otherIdentifier(parent: string, type: string, value: string): Embedded {
  return {
    '@id': embeddedId(parent, type),
    '@type': 'cargo:OtherIdentifier',
    'cargo:otherIdentifierType': type,
    'cargo:textualValue': value.toWellFormed(),
  }
}

/** A place, or nothing where the model can say nothing of it (data model 3.2, `cargo:Location`). */
export function placeOf(root: string, content: string, location: Location): Place | undefined {
  const { unlocode, gln, latitude, longitude, ...named } = location
  const uri = objectUri(root, 'location', content)
  const name = placeText(named)
  const codes = some([
    ...(unlocode ? [codeAt(`https://vocabulary.uncefact.org/unlocode#${unlocode}`)] : []),
    ...(gln ? [codeAt(`https://id.gs1.org/414/${gln}`)] : []),
  ])
  const point = {
    ...(latitude === undefined ? {} : { 'cargo:latitude': double(latitude) }),
    ...(longitude === undefined ? {} : { 'cargo:longitude': double(longitude) }),
  }
  const place: Place = {
    '@id': uri,
    '@type': 'cargo:Location',
    ...(name === undefined ? {} : { 'cargo:locationName': name.toWellFormed() }),
    ...(codes === undefined ? {} : { 'cargo:locationCodes': codes }),
    ...addressOf(uri, named),
    ...(latitude === undefined && longitude === undefined
      ? {}
      : {
          'cargo:geolocation': { '@id': embeddedId(uri, 'geolocation'), '@type': 'cargo:Geolocation', ...point },
        }),
  }
  return Object.keys(place).length > 2 ? place : undefined
}

function addressOf(parent: string, { address = {} }: Location): Pick<Place, 'cargo:address'> {
  const { street, locality, postal_code, country } = address
  const parts = {
    ...(street ? { 'cargo:streetAddressLines': street.toWellFormed() } : {}),
    ...(locality ? { 'cargo:cityName': locality.toWellFormed() } : {}),
    ...(postal_code ? { 'cargo:textualPostCode': postal_code.toWellFormed() } : {}),
    ...(country ? { 'cargo:country': codeAt(`https://vocabulary.uncefact.org/CountryId#${country}`) } : {}),
  }
  if (Object.keys(parts).length === 0) return {}
  return { 'cargo:address': { '@id': embeddedId(parent, 'address'), '@type': 'cargo:Address', ...parts } }
}

/** Who recorded an event, as far as a name tells it. */
export function organizationOf(root: string, name: string): ObjectOf<'cargo:Organization'> {
  return {
    '@id': objectUri(root, 'organization', name),
    '@type': 'cargo:Organization',
    'cargo:name': name.toWellFormed(),
  }
}

/** A document elsewhere that an event refers to (data model 3.2, `cargo:ExternalReference`). */
export function documentOf(root: string, type: ProofType, link: string): ObjectOf<'cargo:ExternalReference'> {
  return {
    '@id': objectUri(root, type, link),
    '@type': 'cargo:ExternalReference',
    'cargo:documentType': type,
    'cargo:documentLink': link.toWellFormed(),
  }
}

/** The pictures of a proof of delivery, each once: what it shows, and where it lies. */
export function proofsOf({
  signature_url,
  photo_urls = [],
}: ProofOfDelivery): readonly (readonly [ProofType, string])[] {
  const photos = [...new Set(photo_urls)].map((link) => ['photo', link] as const)
  return signature_url === undefined ? photos : [['signature', signature_url], ...photos]
}

function codeAt(iri: string): CodeLink {
  return { '@id': iri, '@type': 'cargo:CodeListElement' }
}
