import { type Location as NativeLocation, sha256 } from '../../engine/index.ts'
import { placeKey, placeText, pointOf } from '../shared/place.ts'
import { linkTo } from './links.ts'
import { locationOf } from './members.ts'
import type { FeatureOfInterest, GeoJson, Location } from './schema.ts'

/** A place as both entities that tell of one; where it is not known, the Thing is not there, so there is no Location. */
export interface Place {
  readonly location?: Location
  readonly feature: FeatureOfInterest
}

/** Gives the place of each event, each place once: its id is SHA-256 of what is known of it. */
export function placesOf(root: string): (location: NativeLocation | undefined) => Place {
  const unknown = placeOf(root, 'unknown', undefined)
  const places = new Map<string, Place>()
  return (location) => {
    if (location === undefined || placeText(location) === undefined) return unknown
    const key = placeKey(location)
    const known = places.get(key)
    if (known !== undefined) return known
    const place = placeOf(root, sha256(key).slice(0, 16), locationOf(location))
    places.set(key, place)
    return place
  }
}

function placeOf(root: string, id: string, known: NativeLocation | undefined): Place {
  const feature = linkTo(root, 'FeaturesOfInterest', id)
  const entity = {
    name: placeText(known) ?? 'Unknown place',
    description: known === undefined ? 'Where it happened is not told.' : 'A place on the way.',
    encodingType: 'application/geo+json',
  } as const
  const featureOfInterest: FeatureOfInterest = {
    '@iot.id': id,
    '@iot.selfLink': feature,
    ...entity,
    feature: geoJsonOf(known),
    properties: known ?? {},
    'Observations@iot.navigationLink': `${feature}/Observations`,
  }
  if (known === undefined) return { feature: featureOfInterest }
  const location = linkTo(root, 'Locations', id)
  return {
    location: {
      '@iot.id': id,
      '@iot.selfLink': location,
      ...entity,
      location: geoJsonOf(known),
      properties: known,
      'Things@iot.navigationLink': `${location}/Things`,
      'HistoricalLocations@iot.navigationLink': `${location}/HistoricalLocations`,
    },
    feature: featureOfInterest,
  }
}

/** A bare geometry, as clients expect it, longitude first (RFC 7946, 3.1.1); else a feature that is nowhere (3.2). */
function geoJsonOf(location: NativeLocation | undefined): GeoJson {
  const point = pointOf(location)
  if (point === undefined) return { type: 'Feature', geometry: null, properties: {} }
  return { type: 'Point', coordinates: [point.longitude, point.latitude] }
}
