import type { orderTable } from '../../../../engine/index.ts'

type OrderMoves = typeof orderTable.moves

/** Events of other things that an action on an order can record, too. */
type OtherEvent =
  | 'RoutePlanned'
  | 'RouteOrdersAdded'
  | 'RouteOrderRemoved'
  | 'RouteDriverChanged'
  | 'WalletCharged'
  | 'WalletRefunded'
  | 'ThirdPartyAssigned'
  | 'CarrierPackageDistributed'

/** The words of one language for what the interface names in English: in English, they are made from these names. */
export interface OrderWords {
  /** What happened, by the type of its event; a new event is shown in English until it has words. */
  readonly events: Readonly<Partial<Record<OrderMoves[keyof OrderMoves]['event'] | OtherEvent, string>>>
  /** What something is that changes, by the category of its stream. */
  readonly things: Readonly<Record<string, string>>
  /** What can be done with an order, by the name of the operation: what it is called, and what it does. */
  readonly actions: Readonly<Record<string, readonly [name: string, does: string]>>
  /** Members of inputs by their names. */
  readonly members: Readonly<Record<string, string>>
  /** Values to choose from, and reasons. */
  readonly values: Readonly<Record<string, string>>
  /** What the members are, by what their descriptions say in English. */
  readonly hints: Readonly<Record<string, string>>
}
