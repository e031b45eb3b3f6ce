import { requireScopes } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { listTermOf } from './event-model.ts'
import { type EpcisEventCaptured, sourceStream } from './events.ts'

/** Whose source events a caller may ask for, and which of them it may see. */
interface Reader {
  /** Whether it may see all events of these providers. */
  readonly seesAll: boolean
  readonly providers: readonly string[]
  /** Undefined if as many things were looked up as one call may; the things that were asked for are looked up first. */
  isSeen(fact: RecordedEvent<EpcisEventCaptured>, asked: readonly string[]): Promise<boolean | undefined>
}

/** What decides whose events are looked for. */
export interface Wanted {
  /** The identifier by which the timeline of a thing is found, by the URI of the thing; the URI itself if absent. */
  readonly identifierOf?: ((uri: string) => string) | undefined
}

/** The most things of one event, and of all events of a call, by which it is decided whether an account may see an event. */
export const lookedUp = { event: 100, call: 500 }

/** What is listed of an event: the things that it names. */
export const thingsFacet = 'MATCH_anyEPC'

/** The provider that calls; only providers have their own source events. */
export function providerOf({ caller }: Pick<Context, 'caller'>): string {
  if (caller.kind === 'provider') return caller.name
  throw new EngineError(caller.kind === 'anonymous' ? 'unauthenticated' : 'forbidden', { scopes: 'otep:ingest' })
}

/** A provider sees its own source events; an account those of things whose timelines it may see. */
export async function readerOf(
  context: Pick<Context, 'caller' | 'credentials'> & Partial<Context>,
  wanted: Wanted,
): Promise<Reader> {
  if (context.caller.kind !== 'account')
    return { seesAll: true, providers: [providerOf(context)], isSeen: async () => true }
  return accountReader(context as Context, wanted)
}

/** Whether the caller may see a source event. */
export async function isSeenBy(
  context: Pick<Context, 'caller' | 'credentials'> & Partial<Context>,
  fact: RecordedEvent<EpcisEventCaptured>,
  wanted: Wanted,
): Promise<boolean> {
  const { providers, isSeen } = await readerOf(context, wanted)
  return providers.includes(fact.data.provider) && (await isSeen(fact, [])) === true
}

/** The things by which it is decided who sees a source event, of those that it names. */
export function thingsOf({ credentials }: Pick<Context, 'credentials'>, { data }: RecordedEvent<EpcisEventCaptured>) {
  const term = listTermOf({ credentials }, data.provider, thingsFacet)
  return (data.personal?.values ?? []).flatMap(([one, value]) => (one === term ? [value] : []))
}

const same = (uri: string) => uri

async function accountReader(context: Context, { identifierOf = same }: Wanted): Promise<Reader> {
  requireScopes(context, ['orders:read'])
  const { ports } = context
  const { account } = context.caller
  const seen = new Map<string, ReadonlySet<string>>()

  /** The streams of the source events of a thing that the account may see. */
  async function sourcesOf(thing: string): Promise<ReadonlySet<string>> {
    const names = await ports.epcis.sourcesOfOwn(context, identifierOf(thing))
    const streams = new Set(names.map(({ provider, id }) => sourceStream(provider, id)))
    seen.set(thing, streams)
    return streams
  }

  return {
    seesAll: false,
    providers: account === undefined ? [] : await ports.epcis.providersOf(context, account.business.id),
    isSeen: async (fact, asked) => {
      const named = thingsOf(context, fact)
      // What is asked for comes first, so that it is found among any number of things.
      const things = [...asked.filter((thing) => named.includes(thing)), ...named].slice(0, lookedUp.event)
      for (const thing of things) {
        if (!seen.has(thing) && seen.size >= lookedUp.call) return undefined
        if ((seen.get(thing) ?? (await sourcesOf(thing))).has(fact.stream)) return true
      }
      return false
    },
  }
}
