/** Lifts the data of an event from one version of its shape to the next; total, and leaves what it is given as it is. */
export type Upcast = (data: never) => unknown

/** By type of event: the upcast from version 1 to 2, from 2 to 3, and so on. An event of no entry has one shape so far. */
export type Upcasts = Readonly<Record<string, readonly Upcast[]>>

/** The version that an event of this type has today. */
export function versionOf(type: string, upcasts: Upcasts): number {
  return 1 + (upcasts[type]?.length ?? 0)
}
