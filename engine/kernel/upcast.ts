/** Converts the data of an event from one version to the next. It is total and does not change its argument. */
export type Upcast = (data: never) => unknown

/**
 * The upcasts by event type: from version 1 to 2, from 2 to 3, and so on. An event type without an entry has one
 * version so far.
 */
export type Upcasts = Readonly<Record<string, readonly Upcast[]>>

/** The current version of an event type. */
export function versionOf(type: string, upcasts: Upcasts): number {
  return 1 + (upcasts[type]?.length ?? 0)
}
