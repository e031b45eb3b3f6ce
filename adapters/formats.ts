import { dialects } from '../projections/dialects/index.ts'
import { formatsWith } from '../projections/list.ts'
import { pause } from './http/pause.ts'
import { once } from './node/once.ts'

const linkedData = once(() => import('../projections/shared/jsonld.ts'))

/** The formats of servers and commands. The JSON-LD library is loaded when an expanded document is first requested. */
export const formats = formatsWith(async (document) => (await linkedData()).expanded(document, pause))

export { dialects }
