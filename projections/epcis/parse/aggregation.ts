import type { Aggregation, Members, Subject } from '../../../engine/index.ts'

/**
 * What an aggregation says of its parent, or of one of its children. If it takes out children and names none, it takes
 * out all (EPCIS 2.0, AggregationEvent).
 */
export function aggregationOf(
  { type, action, childEPCs, childQuantityList }: Members,
  place: string,
  parent: Subject | undefined,
): { readonly aggregation?: Aggregation } {
  if (type !== 'AggregationEvent' || parent === undefined || (action !== 'ADD' && action !== 'DELETE')) return {}
  if (place !== 'parentID') return { aggregation: { action, parent } }
  const namesNone = [childEPCs, childQuantityList].every((list) => !Array.isArray(list) || list.length === 0)
  return { aggregation: action === 'DELETE' && namesNone ? { action, all: true } : { action } }
}
