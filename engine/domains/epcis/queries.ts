import { requireScopes } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { Decider } from '../../kernel/decider.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'

/** A query under a name (EPCIS 2.0, section 12.6), with the parameters as the provider gave them. */
export interface NamedQuery {
  readonly name: string
  readonly query: Readonly<Record<string, unknown>>
}

type EpcisQueryNamed = Event<'EpcisQueryNamed', NamedQuery>
type EpcisQueryDropped = Event<'EpcisQueryDropped', Pick<NamedQuery, 'name'>>
type QueryFact = EpcisQueryNamed | EpcisQueryDropped
type QueryCommand =
  | { readonly type: 'NameQuery'; readonly query: NamedQuery }
  | { readonly type: 'DropQuery'; readonly name: string }

/** The most named queries of a provider. */
const maxQueries = 100

/** The named queries of one provider. */
const queries: Decider<ReadonlyMap<string, NamedQuery>, QueryCommand, QueryFact> = {
  initial: () => new Map(),
  evolve: (known, { type, data }) => {
    const next = new Map(known)
    if (type === 'EpcisQueryNamed') next.set(data.name, data)
    else next.delete(data.name)
    return next
  },
  decide: (command, known) => {
    if (command.type === 'DropQuery') {
      if (!known.has(command.name)) throw new EngineError('epcis_query_not_found')
      return [{ type: 'EpcisQueryDropped', data: { name: command.name } }]
    }
    const { query } = command
    if (known.has(query.name)) throw new EngineError('epcis_query_exists')
    if (known.size >= maxQueries)
      throw new EngineError('query_parameter_refused', { parameter: 'name', reason: `at most ${maxQueries} queries` })
    return [{ type: 'EpcisQueryNamed', data: query }]
  },
}

/** The stream of the caller's named queries. */
function streamOf(context: Context): StreamName {
  requireScopes(context, ['otep:ingest'])
  return `epcis_queries-${deriveId(context.caller.kind, context.caller.name)}`
}

/** Names a query of the caller; refuses a name that is in use with `epcis_query_exists`. */
export async function nameQuery(context: Context, query: NamedQuery): Promise<void> {
  await execute(context.store, queries, streamOf(context), { type: 'NameQuery', query }, toNewEvent(context))
}

/** Drops a named query of the caller; refuses any other name with `epcis_query_not_found`. */
export async function dropQuery(context: Context, name: string): Promise<void> {
  await execute(context.store, queries, streamOf(context), { type: 'DropQuery', name }, toNewEvent(context))
}

/** The named queries of the caller, in order of naming. */
export async function namedQueries(context: Context): Promise<readonly NamedQuery[]> {
  const history = (await context.store.read(streamOf(context))) as readonly QueryFact[]
  return [...fold(queries, history).values()]
}

/** A named query of the caller; refuses any other name with `epcis_query_not_found`. */
export async function namedQuery(context: Context, name: string): Promise<NamedQuery> {
  const found = (await namedQueries(context)).find((query) => query.name === name)
  if (found === undefined) throw new EngineError('epcis_query_not_found')
  return found
}
