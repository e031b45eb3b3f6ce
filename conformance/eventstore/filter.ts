import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type { Recorded } from './log.ts'

type FilterOptions = streams.ReadReq.Options.FilterOptions

const defaultWindow = 32

/** Which records a filter accepts, and after how many checked records a checkpoint is due. */
export function filterOf(filter: FilterOptions | undefined): {
  readonly wants: (record: Recorded) => boolean
  readonly checkpointEvery: number
} {
  if (filter === undefined) return { wants: () => true, checkpointEvery: Number.POSITIVE_INFINITY }
  const byType = filter.getEventType()
  const matches = matcherOf(byType ?? filter.getStreamIdentifier())
  const window = filter.hasMax() ? filter.getMax() : defaultWindow
  return {
    wants: (record) => matches(byType === undefined ? record.stream : record.type),
    checkpointEvery: window * filter.getCheckpointintervalmultiplier(),
  }
}

function matcherOf(
  expression: streams.ReadReq.Options.FilterOptions.Expression | undefined,
): (text: string) => boolean {
  const prefixes = expression?.getPrefixList() ?? []
  if (prefixes.length > 0) return (text) => prefixes.some((prefix) => text.startsWith(prefix))
  const pattern = new RegExp(expression?.getRegex() ?? '')
  return (text) => pattern.test(text)
}
