import type { GenericSchema } from 'valibot'
import type { Timeline } from './timeline.ts'

/** What becomes of a code in a format: kept (`=`), in part lost (`~`), or without a value. */
export type Fidelity = '=' | '~' | 'none'

/**
 * A format: how a timeline reads in another vocabulary. Pure, the same bytes for the same timeline, and total over
 * every code of every profile.
 */
export interface Projection<Doc = unknown> {
  /** The token of `?format=`. */
  readonly name: string
  readonly title: string
  /** Version of the projection itself; it is part of the entity tag. */
  readonly version: string
  /** Media types of the bare document, the first being the default. */
  readonly mediaTypes: readonly [string, ...string[]]
  /** Whether the target holds a history, or one folded state. */
  readonly kind: 'history' | 'state'
  /** Whether this is a standard or product outside of OTEP. */
  readonly external: boolean
  /** What becomes of each code of each profile: `codes[profile][code]`. */
  readonly codes: Readonly<Record<string, Readonly<Record<string, Fidelity>>>>
  readonly schema: GenericSchema
  project(timeline: Timeline): Doc
}
