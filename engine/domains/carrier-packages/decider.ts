import type { Decider } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { CarrierPackageAdvised, CarrierPackageEvent, Location, ShelfPlace } from './events.ts'
import { type CarrierPackage, type CarrierPackageState, evolve } from './state.ts'
import { allowsMove, type CarrierPackageMove, type RemovalReason } from './status.ts'

/** Who commands, and when (ISO 8601, UTC). */
interface Given {
  readonly at: string
  readonly by: number | null
}

type Command<Type extends string, More = object> = Given & { readonly type: Type } & More

/** What can be asked of a carrier package. Refusals: `carrier_package_not_found` and `carrier_package_status_forbids`. */
export type CarrierPackageCommand =
  | { readonly type: 'AdvisePackage'; readonly data: CarrierPackageAdvised['data'] }
  | Command<'ReceivePackage', { readonly origin: Location }>
  | Command<'DistributePackage', { readonly order_id: number; readonly order_ref: string | null }>
  | Command<'LoadPackage'>
  | Command<'HandOverPackage'>
  | Command<'ShelvePackage', { readonly location: ShelfPlace }>
  /** Taken off only before it left; its order may be cancelled while it is on the truck too. */
  | Command<'TakePackageOff', { readonly reason: RemovalReason }>
  /** Nothing follows where it was done before. */
  | Command<'ErasePackage'>

function decide(command: CarrierPackageCommand, state: CarrierPackageState): readonly CarrierPackageEvent[] {
  if (command.type === 'AdvisePackage') {
    if (state !== undefined) throw forbidden(state, 'advise')
    return [{ type: 'CarrierPackageAdvised', data: command.data }]
  }
  if (state === undefined) throw new EngineError('carrier_package_not_found', { package: 0 })
  const told = { at: command.at, by: command.by }
  switch (command.type) {
    case 'ReceivePackage':
      demand(state, 'receive')
      return [{ type: 'CarrierPackageReceived', data: { ...told, origin: command.origin } }]
    case 'DistributePackage': {
      demand(state, 'distribute')
      const { order_id, order_ref } = command
      return [{ type: 'CarrierPackageDistributed', data: { ...told, order_id, order_ref } }]
    }
    case 'LoadPackage':
      demand(state, 'load')
      return [{ type: 'CarrierPackageLoaded', data: told }]
    case 'HandOverPackage':
      demand(state, 'deliver')
      return [{ type: 'CarrierPackageHandedOver', data: told }]
    case 'ShelvePackage':
      demand(state, 'shelve')
      return [{ type: 'CarrierPackageShelved', data: { ...told, location: command.location } }]
    case 'TakePackageOff':
      demand(state, command.reason === 'removed' ? 'remove' : 'cancel_order')
      return [{ type: 'CarrierPackageTakenOff', data: { ...told, reason: command.reason } }]
    case 'ErasePackage':
      return state.isForgotten ? [] : [{ type: 'CarrierPackagePersonalDataErased', data: told }]
    default:
      return command satisfies never
  }
}

function demand(state: CarrierPackage, move: CarrierPackageMove): void {
  if (!allowsMove(state.status, move)) throw forbidden(state, move)
}

function forbidden({ id, status }: CarrierPackage, move: string): EngineError {
  return new EngineError('carrier_package_status_forbids', { package: id, status, move })
}

/** The decider of a carrier package, one stream each. */
export const carrierPackages: Decider<CarrierPackageState, CarrierPackageCommand, CarrierPackageEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}
