import * as v from 'valibot'
import { recordSchemaOf } from '../../entity/record.ts'
import type { Account, Person } from '../../kernel/account.ts'
import type { Brand } from '../../kernel/brand.ts'
import type { Facts } from '../../kernel/context.ts'
import { type Decider, fold } from '../../kernel/decider.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { EventStore, ExpectedRevision } from '../../kernel/event-store.ts'
import { named } from '../../kernel/named.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { Row } from '../../kernel/read-model.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { type AccountState, accountStream, accounts } from './account.ts'
import { accountTable } from './account-table.ts'
import { type BusinessState, businesses, businessStream } from './business.ts'
import { staffRoleIn } from './roles/role.ts'
import { accountId } from './schema.ts'

/** The folded state of a stream, and the revision to expect when appending. */
export interface Loaded<State> {
  readonly state: State
  readonly expected: ExpectedRevision
}

/** Folds one stream. */
export async function load<State, E extends Event>(
  store: Pick<EventStore, 'read'>,
  decider: Decider<State, never, E>,
  stream: StreamName,
): Promise<Loaded<State>> {
  const history = (await store.read(stream)) as readonly RecordedEvent<E>[]
  return { state: fold(decider, history), expected: history.at(-1)?.revision ?? 'no-stream' }
}

/** The state of an account, if it exists. */
export async function accountStateOf({ store }: Pick<Facts, 'store'>, id: number): Promise<AccountState | undefined> {
  return (await load(store, accounts, accountStream(id))).state
}

/** The accounts of some rows of `peopleModel`. */
export async function accountsOf(facts: Pick<Facts, 'store'>, rows: readonly Row[]): Promise<readonly AccountState[]> {
  const states = await Promise.all(rows.map(({ account_id }) => accountStateOf(facts, Number(account_id))))
  return states.filter((state) => state !== undefined)
}

/** An account as answers show it. */
export const accountRecord = named(
  'Account',
  v.strictObject({ id: accountId, ...recordSchemaOf(accountTable).entries }),
)

/** A business; undefined if there is none. */
export async function businessOf({ store }: Pick<Facts, 'store'>, id: number): Promise<BusinessState | undefined> {
  return (await load(store, businesses, businessStream(id))).state
}

/** The brand of a business, if it has one. */
export async function brandOf(facts: Pick<Facts, 'store'>, id: number): Promise<Brand | undefined> {
  return (await businessOf(facts, id))?.brand
}

/** An account as the rest of the engine sees it. */
export function asAccount(state: AccountState, business: BusinessState): Account {
  const { account_id: id, role, modules, hidden_prices: hiddenPrices, staff_role_id } = state
  const staffRole = staff_role_id === undefined ? undefined : staffRoleIn(business.staffRoles, staff_role_id)
  return { id, role, business, modules, hiddenPrices, ...omitUndefined({ staffRole }) }
}

/** An account with its person's name and email. */
export function asPerson(state: AccountState, business: BusinessState): Person {
  const { name, email, is_active: isActive } = state
  return { ...asAccount(state, business), isActive, ...omitUndefined({ name, email }) }
}
