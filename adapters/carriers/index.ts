import type { Carrier } from '../../engine/index.ts'
import type { Outbound } from '../node/outbound.ts'
import { packageVersion } from '../node/version.ts'
import { createCarriers, type NodeCarriers } from './ask.ts'
import { easypost } from './easypost/index.ts'
import { createCarrierHttp } from './http.ts'
import { karrio } from './karrio/index.ts'
import { sandbox } from './sandbox.ts'

export { createCarriers, type NodeCarriers } from './ask.ts'
export { easypost } from './easypost/index.ts'
export { createCarrierHttp } from './http.ts'
export { karrio } from './karrio/index.ts'
export { sandbox, signedBySandbox } from './sandbox.ts'

/** The names of the carriers that this server knows without plug-ins, beside the business itself. */
export const builtInCarriers = ['sandbox', 'karrio', 'easypost'] as const

/** The carriers of this node, the built-in ones and others. Closing them closes the connections to their servers, too. */
export function createNodeCarriers(outbound: Outbound, others: readonly Carrier[], clock: () => number): NodeCarriers {
  const http = createCarrierHttp(outbound, `otep-engine/${packageVersion()}`)
  const carriers = createCarriers([sandbox, karrio(http), easypost(http), ...others], clock)
  const close = () => {
    carriers.close()
    void outbound.close()
  }
  return { ...carriers, close }
}
