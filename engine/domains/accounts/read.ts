import type { Account, Business, Person } from '../../kernel/account.ts'
import type { Facts } from '../../kernel/context.ts'
import { type Decider, fold } from '../../kernel/decider.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { EventStore, ExpectedRevision } from '../../kernel/event-store.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { type AccountState, accountStream, accounts } from './account.ts'
import { businesses, businessStream } from './business.ts'

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

/** A business, if it exists. */
export async function businessOf({ store }: Pick<Facts, 'store'>, id: number): Promise<Business | undefined> {
  return (await load(store, businesses, businessStream(id))).state
}

/** An account in the form for the rest of the engine. */
export function asAccount({ id, role, modules, hiddenPrices }: AccountState, business: Business): Account {
  return { id, role, business, modules, hiddenPrices }
}

/** An account with its person's name and email. */
export function asPerson(state: AccountState, business: Business): Person {
  const { name, email, isActive } = state
  return {
    ...asAccount(state, business),
    isActive,
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
  }
}
