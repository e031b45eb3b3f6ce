import type { Operation } from '../../../engine/index.ts'
import type { ServerName } from '../catalogue.ts'
import type { Published } from '../published.ts'
import type { Resource } from '../resource.ts'
import { referenceResources } from './reference.ts'
import { trackingResources } from './tracking.ts'

/** THE LIST of the resources of a server. */
export function resourcesOf(
  operations: readonly Operation[],
  published: Published,
  server: ServerName,
): readonly Resource[] {
  return [...trackingResources(operations), ...referenceResources(operations, published)].filter(
    (one) => one.server === undefined || one.server === server,
  )
}
