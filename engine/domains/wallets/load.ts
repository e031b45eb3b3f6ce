import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import type { NewEvent, RecordedEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type Wallet, type WalletCommand, type WalletEvent, walletStream, wallets } from './wallet.ts'

/** The result of a command: the wallet after it, and the append. */
interface WalletDecision {
  readonly wallet: Wallet
  readonly append: Append
}

/** The wallet of a customer; empty before the first event. */
export async function walletOf(context: Pick<Context, 'store'>, customerId: number): Promise<Wallet> {
  return fold(wallets, await historyOf(context, customerId))
}

/** Decides commands on a customer's wallet, each on what the one before has left, without recording them; refuses like the decider. */
export async function decideOnWallet(
  context: Context,
  first: WalletCommand,
  ...more: readonly WalletCommand[]
): Promise<WalletDecision> {
  const history = await historyOf(context, first.customer_id)
  let wallet = fold(wallets, history)
  const events: NewEvent<WalletEvent>[] = []
  for (const command of [first, ...more]) {
    const made = wallets.decide(command, wallet).map(toNewEvent(context))
    wallet = fold(wallets, made, wallet)
    events.push(...made)
  }
  const stream = walletStream(first.customer_id)
  return {
    wallet,
    append: { stream, events, expected: history.at(-1)?.revision ?? 'no-stream' },
  }
}

/** The events of a customer's wallet. */
export async function historyOf({ store }: Pick<Context, 'store'>, customerId: number) {
  return (await store.read(walletStream(customerId))) as readonly RecordedEvent<WalletEvent>[]
}
