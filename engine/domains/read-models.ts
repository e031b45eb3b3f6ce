import type { ReadModel, ReadModels } from '../kernel/read-model.ts'
import { fedBy } from '../store/model-events.ts'
import { domains } from './of-all.ts'

/** Each read model as its domain knows it, and with what other domains feed it. */
const fed = new Map(
  domains
    .flatMap((domain) => domain.readModels ?? [])
    .map((model) => {
      const feeds = domains.flatMap(({ feeds = {} }) => feeds[model.name] ?? [])
      return [model, fedBy(model, feeds)] as const
    }),
)

/** All read models. */
export const readModels: readonly ReadModel[] = [...fed.values()]

/** The look-ups of a node in read models, as their domains know them. */
export function lookUpsIn({ rows, page, counts, forRequest }: ReadModels): ReadModels {
  const known = (model: ReadModel) => fed.get(model) ?? model
  return {
    rows: (model, ...look) => rows(known(model), ...look),
    page: (model, query) => page(known(model), query),
    counts: (model, ...by) => counts(known(model), ...by),
    ...(forRequest && { forRequest: (store) => lookUpsIn(forRequest(store)) }),
  }
}
