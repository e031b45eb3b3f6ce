import type { Operation } from '../../../../kernel/operation.ts'
import { getDriverRoutesToday } from './day.ts'
import { getDrivers } from './list.ts'
import { setDriverDuty, tellDriverLocation } from './tell.ts'

/** What can be asked about drivers, and what they say of themselves. */
export const driverOperations: readonly Operation[] = [
  getDrivers,
  getDriverRoutesToday,
  setDriverDuty,
  tellDriverLocation,
]
