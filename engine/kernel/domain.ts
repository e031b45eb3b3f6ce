import type { Operation } from './operation.ts'

/** A part of the business: its name and what can be asked of it. */
export interface Domain {
  readonly name: string
  readonly operations: readonly Operation[]
}
