import { type Location as NativeLocation, sha256 } from '../../engine/index.ts'
import { places } from '../shared/likeness.ts'
import { placeKey, placeText, pointOf } from '../shared/place.ts'
import {
  constant,
  either,
  label,
  number,
  object,
  type Prepared,
  plain,
  remembering,
  some,
  type Template,
  within,
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
interface Told {
  readonly root: string
  readonly id: string
  readonly known: NativeLocation
}

/** A bare geometry, as clients expect it, longitude first (RFC 7946, 3.1.1); else a feature that is nowhere (3.2). */
const geoJson: Template<Told, GeoJson> = either(
  ({ known }) => pointOf(known) !== undefined,
  object<Told, GeoJson & { type: 'Point' }>({
    type: constant('Point'),
    coordinates: some<Told, number | undefined>(
      number(({ known }) => known.longitude),
      number(({ known }) => known.latitude),
    ) as Template<Told, [number, number]>,
  }),
  constant({ type: 'Feature', geometry: null, properties: {} }),
)

const nowhere: NativeLocation = {}

const described = {
  name: label(({ known }: Told) => placeText(known) ?? 'Unknown place'),
  description: either(
    ({ known }: Told) => known === nowhere,
    constant('Where it happened is not told.'),
    constant('A place on the way.'),
  ),
  encodingType: constant('application/geo+json'),
} as const

const featureLink = ({ root, id }: Told) => linkTo(root, 'FeaturesOfInterest', id)

const featureOf = rooted(
  object<Told, FeatureOfInterest>({
    '@iot.id': plain(({ id }) => id),
    '@iot.selfLink': plain(featureLink),
    ...described,
    feature: geoJson,
    properties: within(({ known }) => known, location),
    'Observations@iot.navigationLink': plain((told) => `${featureLink(told)}/Observations`),
  }),
)

const locationLink = ({ root, id }: Told) => linkTo(root, 'Locations', id)

const locationOf = rooted(
  object<Told, Location>({
    '@iot.id': plain(({ id }) => id),
    '@iot.selfLink': plain(locationLink),
    ...described,
    location: geoJson,
    properties: within(({ known }) => known, location),
    'Things@iot.navigationLink': plain((told) => `${locationLink(told)}/Things`),
    'HistoricalLocations@iot.navigationLink': plain((told) => `${locationLink(told)}/HistoricalLocations`),
  }),
)

/** Stands for the root where a text is remembered; no text in JSON holds this character. */
const mark = '\u0001'

/** Prepares what is told of a place: of places that come again and again, only the roots of their links differ. */
function rooted<Made>(template: Template<Told, Made>): (told: Told) => Prepared<Made> {
  const write = template.writer('')
  const textsOf = remembering(
    (known: NativeLocation) => write({ root: mark, id: idOf(known), known }).split(mark),
    places,
  )
  return (told) => ({
    get value() {
      return template.make(told)
    },
    text: textsOf(told.known).join(told.root),
  })
}

/** SHA-256 of what is known of a place. */
const idOf = remembering(
  (known: NativeLocation) => (placeText(known) === undefined ? 'unknown' : sha256(placeKey(known)).slice(0, 16)),
  places,
)

/** Gives the place of each event, each place once. */
export function placesOf(root: string): (location: NativeLocation | undefined) => Place {
  const met = new Map<string, Place>()
  return (location = nowhere) => {
    const id = idOf(location)
    const place = met.get(id) ?? placeOf({ root, id, known: id === 'unknown' ? nowhere : location })
    met.set(id, place)
    return place
  }
}

function placeOf(told: Told): Place {
  const feature = featureOf(told)
  return told.known === nowhere ? { feature } : { feature, location: locationOf(told) }
}
