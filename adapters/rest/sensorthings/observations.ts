import type { Observations } from '../../node/observations.ts'
import { bareEntity } from './answer.ts'
import { createObservation } from './create.ts'
import { readingsAfter, seriesOf } from './measured.ts'
import { related } from './nodes.ts'
import { sourceFor } from './source.ts'

/** The Observations of the service. */
export const observations: Observations = {
  create: async (context, datastream, body) => bareEntity(await createObservation(context, datastream, body)),
  latest: async (context, datastream, limit) => {
    const stream = await sourceFor(context).find('Datastreams', datastream)
    const row = seriesOf(stream)
    const nodes =
      row === undefined
        ? related(stream, 'Observations').slice(-limit).toReversed()
        : (await readingsAfter(context, stream, row, { newestFirst: true })).nodes.slice(0, limit)
    return nodes.map(bareEntity)
  },
}
