import { accountOf } from '../kernel/call.ts'
import type { Context, Facts } from '../kernel/context.ts'
import { type Decider, fold, type Reducer } from '../kernel/decider.ts'
import { EngineError } from '../kernel/errors.ts'
import type { Finding } from '../kernel/finding.ts'
import type { Code } from '../kernel/messages/index.ts'
import type { NamedId } from '../kernel/operation.ts'
import type { StreamName } from '../kernel/stream.ts'
import type { AccessRule, Entity, Party, StateOf, Table, Values, View } from './field.ts'
import { inputFields, inputValue } from './input.ts'
import { type EntityEvent, ofOne } from './machine.ts'

/** What is read from streams: their category. */
interface Streamed {
  readonly category: string
  /** The member of events that names it, if its stream may have others too. */
  readonly id?: string
}

/** What callers name by an id: whom one belongs to, and how a missing one is refused. */
interface Owned<State> extends Streamed {
  readonly refusals: { readonly missing: Code; readonly param: string }
  readonly access: { belongs(context: Pick<Context, 'caller'>, state: State): boolean }
}

/** A kind of thing that has an id, and how its events are read. */
interface Readable<State> {
  readonly entity: Streamed
  readonly decider: { readonly initial: () => State | undefined; readonly evolve: Reducer<State | undefined, never> }
  /** The id under which an entity that was renumbered goes on. */
  renumberedAs?(state: State): number | undefined
  /** Finds the stream of an entity whose stream has others too; each event there has the id. */
  streamOf?(context: Pick<Context, 'models'>, id: number): Promise<StreamName | undefined>
}

/** A kind of thing that callers name by an id. */
export interface Named<State> extends Readable<State> {
  readonly entity: Owned<NoInfer<State>>
}

/** An entity and its decider. */
export interface Kind<E extends Entity = Entity> extends Named<StateOf<E>> {
  readonly entity: E
  readonly decider: Pick<Decider<StateOf<E> | undefined, never, EntityEvent>, 'initial' | 'evolve'>
}

/** The state of an entity, and the revision of its stream that it was read at. */
export interface Loaded<State> {
  readonly state: State
  readonly revision: number
}

/**
 * The second question of access: an entity that belongs to the caller. Refuses one that belongs to somebody else as one that
 * does not exist, with the code of the entity for a missing one.
 */
export async function loadOwn<State>(context: Context, kind: Named<State>, id: number): Promise<Loaded<State>> {
  const loaded = await load(context, kind, id)
  const { access, refusals } = kind.entity
  if (loaded === undefined || !access.belongs(context, loaded.state))
    throw new EngineError(refusals.missing, { [refusals.param]: id })
  return loaded
}

/** What the id of an entity names: one that belongs to the caller. */
export function ownId<State>(kind: Named<State>): NamedId {
  return { noun: kind.entity.category, require: (context, id) => loadOwn(context, kind, Number(id)) }
}

/** What an id names that another domain has: `exists` says whether there is one that the caller may name. */
export function idFrom(
  noun: string,
  missing: Code,
  exists: (context: Context, id: number) => Promise<boolean>,
): NamedId {
  return {
    noun,
    require: async (context, given) => {
      const id = Number(given)
      if (!(await exists(context, id))) throw new EngineError(missing, { [noun]: id })
    },
  }
}

/** The id of an active driver of the caller's business; another one is refused with `driver_not_found`. */
export const activeDriverId = idFrom('driver', 'driver_not_found', async (context, id) => {
  const person = await context.directory.person(context, id)
  return person?.role === 'driver' && person.isActive && person.business.id === accountOf(context).business.id
})

/** Whether an id is that of a customer of the caller's business. */
export async function isOwnCustomer(context: Context, id: number): Promise<boolean> {
  const person = await context.directory.person(context, id)
  return person?.role === 'customer' && person.business.id === accountOf(context).business.id
}

/** A customer of the caller's business; another id is refused with `customer_not_found`. */
export const ownCustomerId = idFrom('customer', 'customer_not_found', isOwnCustomer)

/**
 * The customer for whom something is asked: a customer asks for itself, staff for the one that it names, or for the business.
 * Refuses with `customer_not_found`, and with `only_staff` a customer who names another one.
 */
export async function customerFor(context: Context, requested: number | undefined): Promise<number | undefined> {
  const { id: own, role } = accountOf(context)
  if (role === 'customer') {
    if (requested === undefined || requested === own) return own
    throw new EngineError('invalid_input', { count: 1 }, [{ path: 'customer_id', code: 'only_staff' }])
  }
  if (requested !== undefined) await ownCustomerId.require(context, requested)
  return requested
}

/** The caller as tables name it. */
function readerOf({ caller }: Pick<Context, 'caller'>): Party {
  return caller.account?.role ?? 'provider'
}

/** The caller as a reader of records, in the time zone of its business; UTC where it has none. */
export function viewOf(context: Pick<Context, 'caller'>): View {
  return { reader: readerOf(context), timeZone: context.caller.account?.business.timeZone ?? 'UTC' }
}

/** The third question of access: refuses fields that the caller may not give with a move, with `only_staff`. */
export function requireFields(
  context: Pick<Context, 'caller'>,
  entity: Pick<Table, 'fields' | 'parts'>,
  move: string,
  input: Values,
): void {
  const refused = inputFields(entity, move).filter(
    ([name, field]) => inputValue(name, field, input) !== undefined && !field.setBy.includes(readerOf(context)),
  )
  const findings = refused.map(([name, { inputAs: path = name }]): Finding => ({ path, code: 'only_staff' }))
  if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
}

/** The stream of an entity. */
export function streamOf({ category }: Pick<Table, 'category'>, id: number): StreamName {
  return `${category}-${id}`
}

/** The stream that has an entity; nothing where it is known that there is none. */
export async function findStream<State>(
  context: Pick<Context, 'models'>,
  kind: Readable<State>,
  id: number,
): Promise<StreamName | undefined> {
  return kind.streamOf === undefined ? streamOf(kind.entity, id) : kind.streamOf(context, id)
}

/** An entity by its id, for any caller, and the revision of its stream; nothing if there is none. */
export async function load<State>(
  context: Pick<Context, 'store' | 'models'>,
  kind: Readable<State>,
  id: number,
): Promise<Loaded<State> | undefined> {
  const stream = await findStream(context, kind, id)
  if (stream === undefined) return undefined
  const { initial, evolve } = kind.decider
  const history = await context.store.read(stream)
  const last = history.at(-1)
  const one = { initial, evolve: ofOne(kind.entity, evolve as Reducer<State | undefined, EntityEvent>, id) }
  const state = fold(one, history as readonly EntityEvent[])
  if (state === undefined || last === undefined) return undefined
  const now = kind.renumberedAs?.(state)
  return now === undefined ? { state, revision: last.revision } : load(context, kind, now)
}

/** An entity by its id, for any caller; nothing if there is none. */
export async function loadEntity<State>(
  context: Pick<Context, 'store' | 'models'>,
  kind: Readable<State>,
  id: number,
): Promise<State | undefined> {
  return (await load(context, kind, id))?.state
}

/** The business that a caller acts for: its own, or for a provider account the one that it is bound to. */
interface BusinessCaller {
  readonly businessId: number
  /** The name of the provider; absent for an account, which sees the records of all providers. */
  readonly provider?: string
  /** The calling account; null for a provider. */
  readonly by: number | null
}

/** The business that the caller acts for, and the provider or account that calls. Throws like `accountOf`. */
export function businessCallerOf(context: Pick<Context, 'caller'>): BusinessCaller {
  const { kind, name, businessId } = context.caller
  if (kind === 'provider' && businessId !== undefined) return { businessId, provider: name, by: null }
  const account = accountOf(context)
  return { businessId: account.business.id, by: account.id }
}

/** The cells of the rows that the caller may see: those of its business, and for a provider only its own. */
export function visibleCells(context: Pick<Context, 'caller'>): {
  readonly business_id: number
  readonly provider?: string
} {
  const { businessId, provider } = businessCallerOf(context)
  return { business_id: businessId, ...(provider === undefined ? {} : { provider }) }
}

/** Access to what belongs to a business and one of its providers. Staff see all of their business, a provider its own. */
export const ofBusinessAndProvider: AccessRule = {
  belongs: (context, state) => {
    const { businessId, provider } = businessCallerOf(context)
    return Number(state.business_id) === businessId && (provider === undefined || provider === String(state.provider))
  },
  cells: visibleCells,
}

/**
 * The provider that a call concerns: the calling one, or the one that an account names. Refuses with
 * `provider_required` if none is named, and with `provider_not_found` a provider that the business does not work with,
 * or that is not the calling one.
 */
export async function requireNamedProvider(context: Context, named: string | undefined): Promise<string> {
  const { businessId, provider } = businessCallerOf(context)
  const name = named ?? provider
  if (name === undefined) throw new EngineError('provider_required')
  if (provider !== undefined && provider !== name) throw new EngineError('provider_not_found', { name })
  await requireProvider(context, name, businessId)
  return name
}

/** Refuses with `provider_not_found` a provider that a business does not work with. */
export async function requireProvider(
  context: Facts & Pick<Context, 'directory'>,
  name: string,
  businessId: number,
): Promise<void> {
  if (!(await context.directory.serves(context, name, businessId)))
    throw new EngineError('provider_not_found', { name })
}
