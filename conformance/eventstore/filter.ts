import type streams from '@eventstore/db-client/generated/streams_pb.js'
import type { Recorded } from './log.ts'

type FilterOptions = streams.ReadReq.Options.FilterOptions

const defaultWindow = 32

/** Which records a filter accepts, what it asks for, and after how many checked records a checkpoint is due. */
export function filterOf(filter: FilterOptions | undefined): {
  readonly reader: string
  readonly wants: (record: Recorded) => boolean
  readonly checkpointEvery: number
} {
  if (filter === undefined) return { reader: '$all', wants: () => true, checkpointEvery: Number.POSITIVE_INFINITY }
  const byType = filter.getEventType()
  const expression = byType ?? filter.getStreamIdentifier()
  const matches = matcherOf(expression)
  const window = filter.hasMax() ? filter.getMax() : defaultWindow
  const prefixes = expression?.getPrefixList() ?? []
  return {
    reader: prefixes.length > 0 ? prefixes.join(',') : (expression?.getRegex() ?? ''),
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
