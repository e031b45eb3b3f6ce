import type { Dialect } from '../../engine/index.ts'
import { easypost } from './easypost.ts'
import { karrio } from './karrio.ts'
import { ship24 } from './ship24.ts'
import { shippo } from './shippo.ts'
import { track17 } from './track17.ts'
import { trackingmore } from './trackingmore.ts'

/** The list of dialects: what is read, and not written. */
export const dialects: readonly Dialect[] = [easypost, shippo, track17, ship24, trackingmore, karrio]
