import type { CodeMapping } from '../../engine/index.ts'
import { type ProfileCodes, profiles } from '../../profiles/index.ts'

/**
 * Unregistered codes and their meanings. Documents of other formats are read into them when the profile has no code for
 * something (OTEP, versioning, rule 5).
 */
export const unregisteredCodes = {
  'x-available_for_pickup': 'The parcel waits where the recipient can collect it.',
  'x-customs_started': 'Customs have begun to look at the parcel.',
  'x-customs_cleared': 'Customs have released the parcel.',
  'x-customs_held': 'Customs hold the parcel.',
  'x-delayed': 'The parcel is late.',
  'x-damaged': 'The parcel is damaged.',
  'x-lost': 'The parcel cannot be found.',
  'x-disposed': 'The parcel was disposed of.',
  'x-undeliverable': 'The parcel cannot be delivered.',
  'x-returning': 'The parcel is on its way back to the sender.',
  'x-exception': 'Something went wrong that is not told.',
  'x-expired': 'Nothing was heard of the parcel for a long time.',
} as const

/**
 * The meaning of a code, as a short English sentence. Undefined unless the profile or `unregisteredCodes` has the code.
 */
export function meaningOf(profile: string, code: string): string | undefined {
  return (meanings.get(profile) ?? unregisteredMeanings).get(code)
}

const unregisteredMeanings: ReadonlyMap<string, string> = new Map(Object.entries(unregisteredCodes))

const meanings = new Map(
  profiles.map(({ name, codes }) => {
    const registered = Object.entries(codes).map(([code, { meaning }]) => [code, meaning] as const)
    return [name as string, new Map([...registered, ...unregisteredMeanings])]
  }),
)

/** A code of `unregisteredCodes`, or `x-*` for every other unregistered code. */
export type Unregistered = keyof typeof unregisteredCodes | 'x-*'

/** A row for every code of every profile, and for the unregistered codes. A missing row does not compile. */
export type CodeTable<Row> = {
  readonly [Profile in keyof ProfileCodes]: Readonly<Record<ProfileCodes[Profile], Row>>
} & { readonly unregistered: Readonly<Record<Unregistered, Row>> }

/**
 * Returns a function that finds the row of a code. If the table does not have the code or the profile, it is the row of
 * `x-*`.
 */
export function rowsOf<Row>({ unregistered, ...profiles }: CodeTable<Row>): (profile: string, code: string) => Row {
  const unregisteredRows = Object.entries(unregistered)
  const unregisteredByCode = new Map(unregisteredRows)
  const rows = new Map(
    Object.entries(profiles).map(([name, registered]) => [
      name,
      new Map([...Object.entries(registered), ...unregisteredRows]),
    ]),
  )
  return (profile, code) => (rows.get(profile) ?? unregisteredByCode).get(code) ?? unregistered['x-*']
}

/** The table as a format publishes it: for each profile, the registered codes and then the unregistered ones. */
export function mappingsOf<Row>(
  { unregistered, ...profiles }: CodeTable<Row>,
  mapping: (row: Row) => CodeMapping,
): Readonly<Record<string, Readonly<Record<string, CodeMapping>>>> {
  const mapped = (rows: Readonly<Record<string, Row>>) =>
    Object.fromEntries(Object.entries(rows).map(([code, row]) => [code, mapping(row)]))
  return Object.fromEntries(
    Object.entries(profiles).map(([name, rows]) => [name, { ...mapped(rows), ...mapped(unregistered) }]),
  )
}
