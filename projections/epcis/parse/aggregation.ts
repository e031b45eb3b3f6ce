import type { Aggregation, Members, Subject } from '../../../engine/index.ts'

/** Whether an event says that things were put into a parent or taken out of it. */
export function tellsContents({ type, action, parentID }: Members): boolean {
  return type === 'AggregationEvent' && (action === 'ADD' || action === 'DELETE') && typeof parentID === 'string'
}

/**
 * What an aggregation says of its parent, or of one of its children. If it takes out children and names none, it takes
 * out all (EPCIS 2.0, AggregationEvent).
 */
export function aggregationOf(
  event: Members,
  place: string,
  parent: Subject | undefined,
): { readonly aggregation?: Aggregation } {
  if (parent === undefined || !tellsContents(event)) return {}
  const { childEPCs, childQuantityList } = event
  const action = event.action === 'ADD' ? 'ADD' : 'DELETE'
  if (place !== 'parentID') return { aggregation: { action, parent } }
  const namesNone = [childEPCs, childQuantityList].every((list) => !Array.isArray(list) || list.length === 0)
  return { aggregation: action === 'DELETE' && namesNone ? { action, all: true } : { action } }
}
