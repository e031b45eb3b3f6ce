import type { Context, Facts } from '../../kernel/context.ts'
import type { NewEvent, RecordedEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import { deriveId } from '../../kernel/id.ts'
import type { KeptSource, SourceEvent } from '../../kernel/projection.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { termsOf } from './event-model.ts'
import {
  type EpcisEventCaptured,
  type EpcisHeaderCaptured,
  recordedSource,
  type SourceFact,
  sourceStream,
} from './events.ts'

/** A stream of a source event within one call. */
interface Held {
  readonly revision: number
  readonly isErased: boolean
  /** What is kept, oldest first. */
  readonly kept: NonNullable<EpcisEventCaptured['data']['personal']>[]
  readonly added: NewEvent[]
}

/** The source events that one call adds to. All events carry the caller and the request as metadata. */
export function openSourceBook(context: Context) {
  const { store, requestId } = context
  const streams = new Map<StreamName, Held>()
  const headers = new Map<KeptSource, StreamName>()
  const headerEvents: Append[] = []

  async function held(stream: StreamName): Promise<Held> {
    const known = streams.get(stream) ?? (await heldIn(store, stream))
    streams.set(stream, known)
    return known
  }

  /** The id that a source has: the former one, if it was recorded with that. */
  async function idOf(provider: string, { id, formerId }: SourceEvent): Promise<string> {
    const isFormer = formerId !== undefined && (await held(sourceStream(provider, formerId))).revision >= 0
    return isFormer ? formerId : id
  }

  async function compare(provider: string, source: SourceEvent): Promise<'new' | 'known' | 'other'> {
    const { kept, isErased } = await held(sourceStream(provider, await idOf(provider, source)))
    const same = kept.filter(({ content }) => source.isHash || content === source.content)
    if (isErased || same.some((one) => isSameDeclaration(one, source))) return 'known'
    return same.length === kept.length ? 'new' : 'other'
  }

  async function keep(provider: string, source: SourceEvent): Promise<void> {
    if ((await compare(provider, source)) === 'known') return
    const { content, declaration, kept } = source
    const id = await idOf(provider, source)
    const found = termsOf(context, provider, source)
    const personal = { id, content, ...(declaration && { declaration }), ...found, ...kept }
    const header = source.header && headerStream(provider, source.header)
    const stream = await held(sourceStream(provider, id))
    stream.kept.push(personal)
    const data = { provider, ...(header && { header }), personal }
    stream.added.push(toNewEvent<EpcisEventCaptured>(context)({ type: 'EpcisEventCaptured', data }))
  }

  /** The stream of a header, which is kept once for all events of a document. */
  function headerStream(provider: string, header: KeptSource): StreamName {
    const known = headers.get(header)
    if (known !== undefined) return known
    const name: StreamName = `epcis_header-${deriveId(provider, requestId, context.randomId())}`
    headers.set(header, name)
    const fact = toNewEvent<EpcisHeaderCaptured>(context)({ type: 'EpcisHeaderCaptured', data: { personal: header } })
    headerEvents.push({ stream: name, events: [fact], expected: 'no-stream' })
    return name
  }

  function appends(): readonly Append[] {
    const events = [...streams].flatMap(([stream, { revision, added }]): readonly Append[] =>
      added.length === 0 ? [] : [{ stream, events: added, expected: revision < 0 ? 'no-stream' : revision }],
    )
    return [...events, ...headerEvents]
  }

  return { compare, keep, appends }
}

/** What a stream holds. */
async function heldIn(store: Context['store'], stream: StreamName): Promise<Held> {
  const history = (await store.read(stream)) as readonly SourceFact[]
  const isErased = history.some(({ type }) => type === 'EpcisSourceErased')
  return { revision: history.length - 1, isErased, kept: keptIn(history), added: [] }
}

function isCaptured(fact: RecordedEvent<SourceFact>): fact is RecordedEvent<EpcisEventCaptured> {
  return fact.type === 'EpcisEventCaptured'
}

function keptIn(history: readonly SourceFact[]): Held['kept'] {
  return history.flatMap((fact) => (fact.type === 'EpcisEventCaptured' ? (fact.data.personal ?? []) : []))
}

/** An event and its declaration as an error are two events with one id (EPCIS 2.0, ErrorDeclaration). */
function isSameDeclaration(one: { readonly declaration?: object }, { declaration }: SourceEvent): boolean {
  return JSON.stringify(one.declaration) === JSON.stringify(declaration)
}

/**
 * What is kept of source events: what was last said with their ids, and then the declarations that they were errors;
 * nothing of those that were erased or never kept.
 */
export async function readSources(
  { store }: Pick<Facts, 'store'>,
  names: readonly { readonly provider: string; readonly id: string }[],
): Promise<readonly (readonly KeptSource[])[]> {
  const found: (readonly KeptSource[])[] = []
  for (const { provider, id } of names) {
    const history = (await store.read(sourceStream(provider, id))) as readonly RecordedEvent<SourceFact>[]
    const kept = history.flatMap((fact) => (isCaptured(fact) ? (recordedSource(fact) ?? []) : []))
    const said = kept.filter(({ declaration }) => declaration === undefined).slice(-1)
    found.push([...said, ...kept.filter(({ declaration }) => declaration !== undefined)])
  }
  return found
}
