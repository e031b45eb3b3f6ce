import type { Projection } from '../engine/index.ts'
import { otep } from './otep/index.ts'

/** THE LIST of formats; the first is the default. */
export const projections: readonly [Projection, ...Projection[]] = [otep]
