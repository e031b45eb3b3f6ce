import { formatsWith } from './list.ts'
import { expanded } from './shared/jsonld.ts'

/** The formats, with everything that they need. */
export const projections = formatsWith(expanded)
