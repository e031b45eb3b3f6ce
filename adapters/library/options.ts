import type { Profile } from '../../engine/kernel/profile.ts'
import { profiles as builtIn } from '../../profiles/index.ts'

/** The vocabulary and the time by which a document is read; both are optional. */
export interface Options {
  /** The profiles that a document may name; the first is assumed if it names none. If absent, the built-in ones. */
  readonly profiles?: readonly [Profile, ...Profile[]]
  /** The current time in epoch milliseconds; `Date.now()` if absent. */
  readonly now?: number
}

/** The options with their defaults. */
export function filledIn({ profiles = builtIn, now = Date.now() }: Options): Required<Options> {
  return { profiles, now }
}
