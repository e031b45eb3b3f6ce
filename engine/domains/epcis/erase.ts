import type { Context } from '../../kernel/context.ts'
import type { Append } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { retryOnConflict } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type EpcisSourceErased, type SourceFact, sourceStream } from './events.ts'

/** The most source events that are erased in one transaction. */
const atOnce = 200

/** Erases source events for good, with the headers of their documents. Those that are erased already stay so. */
export async function eraseSources(
  context: Context,
  names: readonly { readonly provider: string; readonly id: string }[],
): Promise<void> {
  const streams = [...new Set(names.map(({ provider, id }) => sourceStream(provider, id)))]
  for (let at = 0; at < streams.length; at += atOnce) {
    const some = streams.slice(at, at + atOnce)
    await retryOnConflict(async () => {
      const appends = await erasures(context, some)
      if (appends.length > 0) await context.store.appendMany(appends)
    })
  }
}

async function erasures(context: Context, streams: readonly StreamName[]): Promise<readonly Append[]> {
  const headers = new Set<StreamName>()
  const appends: Append[] = []
  for (const stream of streams) {
    const history = (await context.store.read(stream)) as readonly SourceFact[]
    for (const fact of history)
      if (fact.type === 'EpcisEventCaptured' && fact.data.header !== undefined) headers.add(fact.data.header)
    appends.push(...erasure(context, stream, history))
  }
  for (const stream of headers) appends.push(...erasure(context, stream, await context.store.read(stream)))
  return appends
}

/** Its erasure; nothing if there is nothing to be erased. */
function erasure(
  context: Context,
  stream: StreamName,
  history: readonly { readonly type: string }[],
): readonly Append[] {
  if (history.length === 0 || history.some(({ type }) => type === 'EpcisSourceErased')) return []
  const fact = toNewEvent<EpcisSourceErased>(context)({
    type: 'EpcisSourceErased',
    data: { at: isoOf(context.clock()) },
  })
  return [{ stream, events: [fact], expected: history.length - 1 }]
}
