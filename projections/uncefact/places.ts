import type { Address, Location } from '../../engine/index.ts'
import { places } from '../shared/identity.ts'
import { decimalOf } from '../shared/number.ts'
import { pointOf } from '../shared/place.ts'
import {
  cachedPart,
  constant,
  list,
  object,
  objectIfAny,
  plain,
  type Template,
  text,
  within,
  wrapped,
} from '../shared/template/index.ts'
import { isCountry } from './countries.ts'
import type { MessageLocation } from './message-schema.ts'
import type { LogisticsLocation } from './vocabulary-schema.ts'

type TradeAddress = NonNullable<LogisticsLocation['postalAddress']>
type Coordinate = NonNullable<LogisticsLocation['physicalGeographicalCoordinate']>
type Point = NonNullable<ReturnType<typeof pointOf>>

/** A code outside of the list is not an identifier of a country; as a text it keeps what the producer wrote. */
const tradeAddress = objectIfAny<Address, TradeAddress>({
  type: constant('TradeAddress'),
  streetName: text(({ street }) => street),
  cityName: text(({ locality }) => locality),
  countrySubDivisionName: text(({ region }) => region),
  postcodeCode: text(({ postal_code }) => postal_code),
  tradeAddressCountryId: text(({ country }) =>
    country !== undefined && isCountry(country) ? `unece:CountryId#${country}` : undefined,
  ),
  countryName: text(({ country }) => (country !== undefined && isCountry(country) ? undefined : country)),
})

/** Degrees, positive to the north and east (ISO 6709). The context has no short names for the members of a measure. */
function measure(degrees: (point: Point) => number): Template<Point, Coordinate['latitudeMeasure']> {
  return wrapped(
    (value): Coordinate['latitudeMeasure'] => ({
      type: 'unece:MeasureType',
      'unece:MeasureTypeValue': { '@type': 'xsd:decimal', '@value': value },
      'unece:MeasureTypeCode': { '@id': 'unece:UnitMeasureCode#DD' },
    }),
    plain((point) => decimalOf(degrees(point))),
  )
}

/** A place in the vocabulary (class LogisticsLocation); left out if nothing is known about it. */
export const vocabularyPlace = cachedPart(
  ({ location }: { readonly location?: Location }) => location,
  objectIfAny<Location, LogisticsLocation>({
    type: constant('LogisticsLocation'),
    identifier: list(
      identifiersOf,
      text((one: string) => one),
    ),
    name: text(({ name }) => name),
    postalAddress: within(({ address }) => address, tradeAddress),
    physicalGeographicalCoordinate: within(
      pointOf,
      object<Point, Coordinate>({
        type: constant('GeographicalCoordinate'),
        latitudeMeasure: measure(({ latitude }) => latitude),
        longitudeMeasure: measure(({ longitude }) => longitude),
      }),
    ),
  }),
  places,
)

function identifiersOf({ unlocode, gln }: Location): readonly string[] | undefined {
  const known = [unlocode, gln].filter((one) => one !== undefined)
  return known.length === 0 ? undefined : known
}

const address = objectIfAny<Address, Address>({
  street: text(({ street }) => street),
  locality: text(({ locality }) => locality),
  region: text(({ region }) => region),
  postal_code: text(({ postal_code }) => postal_code),
  country: text(({ country }) => country),
})

type Degrees = NonNullable<MessageLocation['physicalGeographicalCoordinate']>['latitude']

function degrees(of: (point: Point) => number): Template<Point, Degrees> {
  return wrapped(
    (content): Degrees => ({ content, unitCode: 'DD' }),
    plain((point) => decimalOf(of(point))),
  )
}

type MessageId = NonNullable<MessageLocation['id']>[number]

const messageId = object<Location, MessageId>({
  content: text(({ unlocode, gln = '' }) => unlocode ?? gln),
  schemeAgencyId: plain(({ unlocode }) => (unlocode === undefined ? '9' : '6')),
})

/**
 * A place in the message (Logistics_ Location, which has no address and at most one identifier); left out if nothing is
 * known about it.
 */
export const messagePlace = cachedPart(
  ({ location }: { readonly location?: Location }) => location,
  wrapped(
    (place): [MessageLocation] => [place],
    objectIfAny<Location, MessageLocation>({
      id: wrapped(
        (id) => [id],
        within((location: Location) => (identifiersOf(location) === undefined ? undefined : location), messageId),
      ),
      name: wrapped(
        (content) => [{ content }],
        text(({ name }: Location) => name),
      ),
      physicalGeographicalCoordinate: within(
        pointOf,
        object({ latitude: degrees(({ latitude }) => latitude), longitude: degrees(({ longitude }) => longitude) }),
      ),
      'x-gln': text(({ unlocode, gln }) => (unlocode === undefined ? undefined : gln)),
      'x-address': within(({ address: known }) => known, address),
    }),
  ),
  places,
)
