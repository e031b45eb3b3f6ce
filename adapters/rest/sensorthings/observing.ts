import type { Context } from '../../../engine/index.ts'
import type { Node } from '../../../projections/sensorthings/graph.ts'
import type { Hints, Stretch } from './list.ts'
import { type ReadingPlace, readingsAfter, seriesOf } from './measured.ts'
import { inOrder } from './nodes.ts'

/** Where a list is: in the readings of a Datastream, after one of them. */
type Inside = readonly [stream: string, at: number, id: string]

/** The place after the Observations of a status. */
const afterStatus = ''

/** Observations of a status, and then those of sensors: of one Datastream after the other, in order of time. */
export async function* observationsIn(
  context: Context,
  status: readonly Node[],
  streams: readonly Node[],
  after: string | undefined,
  hints: Hints,
): AsyncGenerator<Stretch> {
  if (after === undefined) yield { place: afterStatus, nodes: inOrder(status) }
  const inside = after === undefined || after === afterStatus ? undefined : (JSON.parse(after) as Inside)
  for (const stream of inOrder(streams)) {
    const name = String(stream.entity['@iot.id'])
    const row = seriesOf(stream)
    if (row === undefined || (inside !== undefined && name < inside[0])) continue
    let begin: ReadingPlace | undefined = inside?.[0] === name ? { at: inside[1], id: inside[2] } : undefined
    do {
      const { nodes, next } = await readingsAfter(context, stream, row, { ...hints, after: begin })
      begin = next
      const end = next ?? { at: hints.newestFirst ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER, id: '' }
      yield { place: JSON.stringify([name, end.at, end.id] satisfies Inside), name, nodes }
    } while (begin !== undefined)
  }
}
