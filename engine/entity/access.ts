import { accountOf, authorize } from '../kernel/call.ts'
import type { Context, Facts } from '../kernel/context.ts'
import { type Decider, fold } from '../kernel/decider.ts'
import { EngineError } from '../kernel/errors.ts'
import type { Finding } from '../kernel/finding.ts'
import type { Operation } from '../kernel/operation.ts'
import type { StreamName } from '../kernel/stream.ts'
import type { AccessRule, Entity, Party, StateOf, Table, Values, View } from './field.ts'
import { inputFields, inputValue } from './input.ts'
import { type EntityEvent, ofOne } from './machine.ts'

/** An entity and its decider. */
export interface Kind<E extends Entity = Entity> {
  readonly entity: E
  readonly decider: Pick<Decider<StateOf<E> | undefined, never, EntityEvent>, 'initial' | 'evolve'>
  /** Finds the stream of an entity whose stream has others too; each event there has the id. */
  streamOf?(context: Pick<Context, 'models'>, id: number): Promise<StreamName | undefined>
}

/** What a caller asks of an entity. */
export interface Request {
  readonly operation: Pick<Operation, 'scopes' | 'roles' | 'pays' | 'module'>
  readonly by: readonly Party[]
  readonly id: number
  readonly move?: string
  readonly input?: Values
}

/**
 * The three questions of access, in this order: may the caller call the operation, does the entity belong to the caller, and
 * does the table let the caller give these fields. Answers the entity; refuses with the codes of the door, with the entity's
 * own code for a missing one (which it also uses for one that belongs to somebody else), and with `only_staff`.
 */
export async function authorized<E extends Entity>(
  context: Context,
  kind: Kind<E>,
  request: Request,
): Promise<StateOf<E>> {
  authorize(context, request.operation)
  requireParty(context, request.by)
  const state = await loadEntity(context, kind, request.id)
  const { access, refusals } = kind.entity
  if (state === undefined || !access.belongs(context, state))
    throw new EngineError(refusals.missing, { [refusals.param]: request.id })
  requireFields(context, kind.entity, request.move ?? '', request.input ?? {})
  return state
}

/** Refuses a caller that is not among these: `account_required` for one without an account, `wrong_account` for another. */
export function requireParty(context: Pick<Context, 'caller'>, by: readonly Party[]): void {
  const party = readerOf(context)
  if (by.includes(party)) return
  const { role } = accountOf(context)
  throw new EngineError('wrong_account', { received: role, expected: by.join(', ') })
}

/** The caller as tables name it. */
export function readerOf({ caller }: Pick<Context, 'caller'>): Party {
  return caller.account?.role ?? 'provider'
}

/** The caller as a reader of records, in the time zone of its business; UTC where it has none. */
export function viewOf(context: Pick<Context, 'caller'>): View {
  return { reader: readerOf(context), timeZone: context.caller.account?.business.timeZone ?? 'UTC' }
}

/** Refuses fields that the caller may not give. */
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
export function streamOf({ category }: Pick<Entity, 'category'>, id: number): StreamName {
  return `${category}-${id}`
}

/** The stream that has an entity; nothing where it is known that there is none. */
export async function findStream<E extends Entity>(
  context: Pick<Context, 'models'>,
  kind: Pick<Kind<E>, 'entity' | 'streamOf'>,
  id: number,
): Promise<StreamName | undefined> {
  return kind.streamOf === undefined ? streamOf(kind.entity, id) : kind.streamOf(context, id)
}

/** An entity by its id, whoever asks; nothing where there is none. */
export async function loadEntity<E extends Entity>(
  context: Pick<Context, 'store' | 'models'>,
  kind: Kind<E>,
  id: number,
): Promise<StateOf<E> | undefined> {
  const stream = await findStream(context, kind, id)
  if (stream === undefined) return undefined
  const { entity, decider } = kind
  const one = { ...decider, evolve: ofOne(entity, decider.evolve, id) }
  return fold(one, (await context.store.read(stream)) as readonly EntityEvent[])
}

/** The business that a caller acts for: its own, or for a provider account the one that it is bound to. */
export interface BusinessCaller {
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
