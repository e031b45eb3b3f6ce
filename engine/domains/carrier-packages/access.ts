import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { fold } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { isSeenBy, partyOf } from '../../kernel/party.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { dress } from '../../store/dress.ts'
import { execute } from '../../store/execute.ts'
import { type CarrierPackageCommand, carrierPackages } from './decider.ts'
import type { CarrierPackageEvent } from './events.ts'
import type { CarrierPackage, CarrierPackageState } from './state.ts'

/** The stream of a carrier package. */
export function carrierPackageStream(id: number): StreamName {
  return `carrier_package-${id}`
}

/** A carrier package that the caller may see: staff those of their business, a provider its own there. Else `carrier_package_not_found`. */
export async function visiblePackage(context: Context, id: number): Promise<CarrierPackage> {
  const party = partyOf(context)
  const found = await loadPackage(context.store, id)
  if (found === undefined || !isSeenBy(party, found))
    throw new EngineError('carrier_package_not_found', { package: id })
  return found
}

/** Carries out a command on a carrier package that the caller may see; answers how it stands then. */
export async function carryOut(context: Context, id: number, command: CarrierPackageCommand): Promise<CarrierPackage> {
  const before = await visiblePackage(context, id)
  await execute(context.store, carrierPackages, carrierPackageStream(id), command, dress(context))
  return (await loadPackage(context.store, id)) ?? before
}

/** The account that commands, and when: what happens in a warehouse is told by the business alone. */
export function given(context: Context): { readonly at: string; readonly by: number } {
  return { at: isoOf(context.clock()), by: accountOf(context).id }
}

async function loadPackage(store: EventStore, id: number): Promise<CarrierPackageState> {
  return fold(carrierPackages, (await store.read(carrierPackageStream(id))) as readonly CarrierPackageEvent[])
}
