import type { Subject, Target } from '../../engine/index.ts'
import { nameOf, segment } from '../shared/subject.ts'
import { encodedUrl, joined, type Plain } from '../shared/template/index.ts'

/** The eight kinds of entity by the name of their set (18-088, table 2). */
export type SetName =
  | 'Things'
  | 'Locations'
  | 'HistoricalLocations'
  | 'Datastreams'
  | 'Sensors'
  | 'ObservedProperties'
  | 'Observations'
  | 'FeaturesOfInterest'

/** The members of every entity: its id, and its full address (18-088, table 1). */
export interface Control {
  '@iot.id': string
  '@iot.selfLink': string
}

/** The path of the root of the service, which has all timelines (18-088, 9.2.1). */
export const rootPath = '/sensorthings/v1.1'

/** The root of the service. */
export function rootUrl({ baseUrl }: Pick<Target, 'baseUrl'>): Plain {
  return joined(encodedUrl(baseUrl), rootPath)
}

/** The id of a Thing: the unique name of the timeline if it is known, otherwise its preferred identifier. */
export function thingIdOf({ timeline }: Pick<Target, 'timeline'>, subject: Subject): string {
  return (timeline ?? nameOf(subject).value).toWellFormed()
}

/** The id of an entity that belongs to one Thing: that of the Thing, a slash, and its own. */
export function idWithin(thing: string, own: string): string {
  return `${thing.replace(/[%/]/g, encodeURIComponent)}/${own}`
}

/** The id of the Thing that an entity belongs to, and its own; undefined for an id of another form. */
export function partsOfId(id: string): readonly [thing: string, own: string] | undefined {
  const slash = id.indexOf('/')
  if (slash <= 0) return undefined
  return [id.slice(0, slash).replaceAll('%2F', '/').replaceAll('%25', '%'), id.slice(slash + 1)]
}

/**
 * An entity's address, with its id in quotes; quotes in the id are doubled (18-088, 9.2.3; OData 4.0, part 2, 4.3.1).
 */
export function linkTo(root: Plain, set: SetName, id: string): Plain {
  return joined(root, '/', set, keyOf(id))
}

/** The key after the name of a set in an address. */
export function keyOf(id: string): Plain {
  return joined("('", segment(id.replaceAll("'", "''")), "')")
}

/** Returns a function that makes unique, well-formed ids from texts; a repeated text gets a number. */
export function uniqueIds(): (text: string) => string {
  const uses = new Map<string, number>()
  const taken = new Set<string>()
  return (text) => {
    const base = text.toWellFormed()
    let id = base
    while (taken.has(id)) {
      const use = (uses.get(base) ?? 1) + 1
      uses.set(base, use)
      id = `${base}~${use}`
    }
    taken.add(id)
    return id
  }
}
