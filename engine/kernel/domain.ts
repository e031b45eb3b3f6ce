import type { Operation } from './operation.ts'
import type { ReadModel } from './read-model.ts'
import type { Upcasts } from './upcast.ts'

/** A part of the business: its name and what can be asked of it. */
export interface Domain {
  readonly name: string
  readonly operations: readonly Operation[]
  readonly readModels?: readonly ReadModel[]
  /** How its events of earlier versions read today. */
  readonly upcasts?: Upcasts
}
