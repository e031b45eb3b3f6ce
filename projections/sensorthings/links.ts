import type { Subject, Target } from '../../engine/index.ts'
import { segment, timelineUrl } from '../shared/subject.ts'
import { joined, type Plain } from '../shared/template/index.ts'

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

/** The root of the service that each timeline provides (18-088, 9.2.1). */
export function rootUrl(target: Target, subject: Subject): Plain {
  return joined(timelineUrl(target, subject), '/sensorthings/v1.1')
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
