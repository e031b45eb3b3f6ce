import { formatsWith } from '../projections/list.ts'
import { once } from './node/once.ts'

const linkedData = once(() => import('../projections/shared/jsonld.ts'))

/** The formats of servers and commands. The library of linked data is loaded when its form is first asked for. */
export const formats = formatsWith(async (document) => (await linkedData()).expanded(document))
