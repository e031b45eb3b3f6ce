import type { ChargedMovement } from '../../kernel/charge.ts'
import type { Context } from '../../kernel/context.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { historyOf } from './load.ts'
import { changeOf, isMovement, wallets } from './wallet.ts'

/** The movements of a customer's wallet, oldest first, as statements tell them. */
export async function chargedMovements(context: Context, customer: number): Promise<readonly ChargedMovement[]> {
  let wallet = wallets.initial()
  const movements: ChargedMovement[] = []
  for (const event of await historyOf(context, customer)) {
    wallet = wallets.evolve(wallet, event)
    if (!isMovement(event)) continue
    const { type, data } = event
    movements.push({
      ...{
        number: movements.length + 1,
        at: data.at,
        kind: kinds[type],
        amount: changeOf(event),
        balance: wallet.balance,
      },
      ...('order_id' in data && { order_id: data.order_id }),
      ...('family' in data && omitUndefined({ family: data.family })),
      ...('kind' in data && { kind: data.kind }),
    })
  }
  return movements
}

const kinds = {
  WalletToppedUp: 'top_up',
  WalletCharged: 'payment',
  WalletRefunded: 'refund',
  WalletAdjusted: 'adjustment',
} as const
