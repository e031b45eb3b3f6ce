import type { Generation } from './generations.ts'

/** A generation with what this process knows about the events after its checkpoint. */
export interface Reached extends Generation {
  /** There is no event of the model's category between the checkpoint and this position. */
  readonly reach: string | null
}

/** Whether a checkpoint is before `target`. */
export function isBehind(checkpoint: string | null, target: string | null | undefined): boolean {
  return (target ?? null) !== null && (checkpoint === null || checkpoint < (target as string))
}
