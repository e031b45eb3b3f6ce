import { errorFields, type Log } from '../node/log.ts'
import type { OutageReports } from '../node/outages.ts'

/** The outages of the store, in two lines of the log each. */
export interface Outages extends Required<OutageReports> {
  /** Whether the store is lost. */
  isLost(): boolean
}

/** Creates what logs outages. A store that has not answered since the start is not lost yet. */
export function createOutages(log: Log): Outages {
  let isLost = false
  return {
    away: (error, wasThere) => {
      isLost = true
      log.warn(errorFields(error), wasThere ? 'store lost' : 'the store does not answer yet')
    },
    back: (milliseconds) => {
      isLost = false
      log.info({ seconds: Math.round(milliseconds / 1_000) }, 'store is back')
    },
    isLost: () => isLost,
  }
}
