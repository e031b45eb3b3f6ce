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
import { linkTo } from './links.ts'
import { location } from './members.ts'
import type { FeatureOfInterest, GeoJson, Location } from './schema.ts'

/** A place as both entities that tell of one; where it is not known, the Thing is not there, so there is no Location. */
export interface Place {
  readonly location?: Prepared<Location>
  readonly feature: Prepared<FeatureOfInterest>
}

/** What is told of a place, and the root of the service that tells it. */
interface PlaceInput {
  readonly link: Plain
  readonly id: PlaceId
  readonly known: NativeLocation
}

/** A bare geometry, as clients expect it, longitude first (RFC 7946, 3.1.1); else a feature that is nowhere (3.2). */
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

/** What both entities say of a place alike. */
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
    '@iot.id': plain(({ id }) => id),
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
    '@iot.id': plain(({ id }) => id),
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

/** SHA-256 of what is known of a place, where anything is. */
type PlaceId = Plain | 'unknown'

const idOf = cached(
  (known: NativeLocation): PlaceId => (placeText(known) === undefined ? 'unknown' : hexDigest(placeKey(known), 16)),
  places,
)

/** Gives the place of each event, each place once. */
export function placesOf(root: Plain): (location: NativeLocation | undefined) => Place {
  const byId = new Map<string, Place>()
  return (location = nowhere) => {
    const id = idOf(location)
    const place = byId.get(id) ?? placeOf(root, id, id === 'unknown' ? nowhere : location)
    byId.set(id, place)
    return place
  }
}

function placeOf(root: Plain, id: PlaceId, known: NativeLocation): Place {
  const feature = featureOf({ link: linkTo(root, 'FeaturesOfInterest', id), id, known })
  if (known === nowhere) return { feature }
  return { feature, location: locationOf({ link: linkTo(root, 'Locations', id), id, known }) }
}
