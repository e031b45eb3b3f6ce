import type { Generation } from './generations.ts'

/** A generation, and what this process knows of the way after its checkpoint. */
export interface Reached extends Generation {
  /** No event of the model's category stands between the checkpoint and here. */
  readonly reach: string | null
}

/** Whether a reader at this checkpoint has not seen what stands at `target`. */
export function isBehind(checkpoint: string | null, target: string | null | undefined): boolean {
  return (target ?? null) !== null && (checkpoint === null || checkpoint < (target as string))
}
