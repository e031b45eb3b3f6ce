import type { Address, Location } from '../../engine/index.ts'
import { decimalOf } from '../shared/number.ts'
import { pointOf } from '../shared/place.ts'
import { isCountry } from './countries.ts'
import type { MessageLocation } from './message-schema.ts'
import type { LogisticsLocation } from './vocabulary-schema.ts'

type TradeAddress = NonNullable<LogisticsLocation['postalAddress']>

/** A place in the vocabulary (class LogisticsLocation); nothing where nothing is known of it. */
export function vocabularyPlace(location: Location | undefined): LogisticsLocation | undefined {
  if (location === undefined) return undefined
  const { name, unlocode, gln, address } = location
  const place: LogisticsLocation = { type: 'LogisticsLocation' }
  const identifier = [unlocode, gln].filter((one) => one !== undefined)
  if (identifier.length > 0) place.identifier = identifier
  if (name !== undefined) place.name = name
  const postal = address === undefined ? undefined : tradeAddress(address)
  if (postal !== undefined) place.postalAddress = postal
  const point = pointOf(location)
  if (point !== undefined) {
    place.physicalGeographicalCoordinate = {
      type: 'GeographicalCoordinate',
      latitudeMeasure: measure(point.latitude),
      longitudeMeasure: measure(point.longitude),
    }
  }
  return Object.keys(place).length > 1 ? place : undefined
}

function tradeAddress({ street, locality, region, postal_code, country }: Address): TradeAddress | undefined {
  const address: TradeAddress = { type: 'TradeAddress' }
  if (street !== undefined) address.streetName = street
  if (locality !== undefined) address.cityName = locality
  if (region !== undefined) address.countrySubDivisionName = region
  if (postal_code !== undefined) address.postcodeCode = postal_code
  // A code outside of the list is no identifier of a country; as a text it says what the producer said.
  if (country !== undefined && isCountry(country)) address.tradeAddressCountryId = `unece:CountryId#${country}`
  else if (country !== undefined) address.countryName = country
  return Object.keys(address).length > 1 ? address : undefined
}

/** Degrees, north and east above zero (ISO 6709). The context has no short names for the members of a measure. */
function measure(degrees: number): NonNullable<LogisticsLocation['physicalGeographicalCoordinate']>['latitudeMeasure'] {
  return {
    type: 'unece:MeasureType',
    'unece:MeasureTypeValue': { '@type': 'xsd:decimal', '@value': decimalOf(degrees) },
    'unece:MeasureTypeCode': { '@id': 'unece:UnitMeasureCode#DD' },
  }
}

/** A place in the message (Logistics_ Location, which has no address and one identifier at most); nothing where nothing is known. */
export function messagePlace(location: Location | undefined): MessageLocation | undefined {
  if (location === undefined) return undefined
  const { name, unlocode, gln, address } = location
  const place: MessageLocation = {}
  if (unlocode !== undefined) place.id = [{ content: unlocode, schemeAgencyId: '6' }]
  else if (gln !== undefined) place.id = [{ content: gln, schemeAgencyId: '9' }]
  if (name !== undefined) place.name = [{ content: name }]
  const point = pointOf(location)
  if (point !== undefined) {
    place.physicalGeographicalCoordinate = {
      latitude: { content: decimalOf(point.latitude), unitCode: 'DD' },
      longitude: { content: decimalOf(point.longitude), unitCode: 'DD' },
    }
  }
  if (unlocode !== undefined && gln !== undefined) place['x-gln'] = gln
  if (address !== undefined && Object.keys(address).length > 0) place['x-address'] = address
  return Object.keys(place).length > 0 ? place : undefined
}
