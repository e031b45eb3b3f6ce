import type { Location as NativeLocation } from '../../engine/index.ts'
import { places } from '../shared/identity.ts'
import { placeKey, placeText, pointOf } from '../shared/place.ts'
import {
  cached,
  cachedMembers,
  constant,
  either,
  filled,
  hexDigest,
  joined,
  type Members,
  number,
  object,
  type Plain,
  type Prepared,
  plain,
  some,
  type Template,
  text,
} from '../shared/template/index.ts'
import { idWithin, linkTo } from './links.ts'
import { location } from './members.ts'
import type { FeatureOfInterest, GeoJson, Location } from './schema.ts'

/** A place as a Location and a FeatureOfInterest; an unknown place has no Location, because the Thing is not there. */
export interface Place {
  readonly location?: Prepared<Location>
  readonly feature: Prepared<FeatureOfInterest>
}

/** A place, and the root of its service. */
interface PlaceInput {
  readonly link: Plain
  readonly id: string
  readonly known: NativeLocation
}

/**
 * A bare geometry, as clients expect it, longitude first (RFC 7946, 3.1.1); without coordinates a feature that has no
 * geometry (3.2).
 */
const geoJson: Template<NativeLocation, GeoJson> = either(
  (known) => pointOf(known) !== undefined,
  object<NativeLocation, GeoJson & { type: 'Point' }>({
    type: constant('Point'),
    coordinates: some<NativeLocation, number | undefined>(
      number(({ longitude }) => longitude),
      number(({ latitude }) => latitude),
    ) as Template<NativeLocation, [number, number]>,
  }),
  constant({ type: 'Feature', geometry: null, properties: {} }),
)

const nowhere: NativeLocation = {}

type Described = Pick<Location, 'name' | 'description' | 'encodingType'>

/** The members that both entities share. */
const described: Members<NativeLocation, Described> = {
  name: text((known) => placeText(known) ?? 'Unknown place'),
  description: either(
    (known) => known === nowhere,
    constant('Where it happened is not told.'),
    constant('A place on the way.'),
  ),
  encodingType: constant('application/geo+json'),
}

const knownOf = ({ known }: PlaceInput) => known

const featureOf = filled(
  object<PlaceInput, FeatureOfInterest>({
    '@iot.id': text(({ id }) => id),
    '@iot.selfLink': plain(({ link }) => link),
    ...cachedMembers<PlaceInput, NativeLocation, Described & Pick<FeatureOfInterest, 'feature' | 'properties'>>(
      knownOf,
      { ...described, feature: geoJson, properties: location },
      places,
    ),
    'Observations@iot.navigationLink': plain(({ link }) => joined(link, '/Observations')),
  }),
)

const locationOf = filled(
  object<PlaceInput, Location>({
    '@iot.id': text(({ id }) => id),
    '@iot.selfLink': plain(({ link }) => link),
    ...cachedMembers<PlaceInput, NativeLocation, Described & Pick<Location, 'location' | 'properties'>>(
      knownOf,
      { ...described, location: geoJson, properties: location },
      places,
    ),
    'Things@iot.navigationLink': plain(({ link }) => joined(link, '/Things')),
    'HistoricalLocations@iot.navigationLink': plain(({ link }) => joined(link, '/HistoricalLocations')),
  }),
)

/** SHA-256 of the members of a place, if it has any. */
type PlaceId = Plain | 'unknown'

const idOf = cached(
  (known: NativeLocation): PlaceId => (placeText(known) === undefined ? 'unknown' : hexDigest(placeKey(known), 16)),
  places,
)

/** Returns the place of each event; equal places are the same object. */
export function placesOf(root: Plain, thing: string): (location: NativeLocation | undefined) => Place {
  const byId = new Map<string, Place>()
  return (location = nowhere) => {
    const id = idOf(location)
    const place = byId.get(id) ?? placeOf(root, idWithin(thing, id), id === 'unknown' ? nowhere : location)
    byId.set(id, place)
    return place
  }
}

function placeOf(root: Plain, id: string, known: NativeLocation): Place {
  const feature = featureOf({ link: linkTo(root, 'FeaturesOfInterest', id), id, known })
  if (known === nowhere) return { feature }
  return { feature, location: locationOf({ link: linkTo(root, 'Locations', id), id, known }) }
}
