import type { CodeMapping, Profile } from '../../engine/index.ts'
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

/**
 * A row for every code of every profile, and for the unregistered codes. A missing row does not compile, unless the
 * profile says what the code is like. Such a code may have a row; without one it has the row of the code that it is like.
 */
export type CodeTable<Row> = {
  readonly [Profile in keyof ProfileCodes]: CodeRows<ProfileCodes[Profile], Row>
} & { readonly unregistered: Readonly<Record<Unregistered, Row>> }

/** A row for every code without `like`, and optional rows for the others. */
export type CodeRows<Codes, Row> = {
  readonly [Code in keyof Codes as Codes[Code] extends Like ? never : Code]: Row
} & { readonly [Code in keyof Codes as Codes[Code] extends Like ? Code : never]?: Row }

interface Like {
  readonly like: string
}

/**
 * The rows of the codes that have none in `rows`: each has the row of the code that it is like. A fidelity of `=` becomes
 * `~`, because the difference between the two codes is lost.
 */
export function likeRows<Row>(
  codes: Profile['codes'],
  rows: Readonly<Record<string, Row>>,
): Readonly<Record<string, Row>> {
  const found: Record<string, Row> = {}
  for (const [code, { like }] of Object.entries(codes)) {
    if (like === undefined || Object.hasOwn(rows, code)) continue
    const row = rows[like]
    if (row !== undefined) found[code] = inPart(row)
  }
  return found
}

/** The same row or mapping, with the fidelity `~` if it was `=`. */
export function inPart<Row>(row: Row): Row {
  const isExact = typeof row === 'object' && row !== null && 'fidelity' in row && row.fidelity === '='
  return isExact ? { ...row, fidelity: '~' } : row
}

function likeRowsOf<Row>(name: string, rows: Readonly<Record<string, Row>>): Readonly<Record<string, Row>> {
  return likeRows(profiles.find((profile) => profile.name === name)?.codes ?? {}, rows)
}

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
      new Map([...Object.entries(registered), ...Object.entries(likeRowsOf(name, registered)), ...unregisteredRows]),
    ]),
  )
  return (profile, code) => (rows.get(profile) ?? unregisteredByCode).get(code) ?? unregistered['x-*']
}

/**
 * The table as a format publishes it: for each profile, the registered codes and then the unregistered ones. `mapping` is
 * told whether the row is that of another code, which this one is like.
 */
export function mappingsOf<Row>(
  { unregistered, ...profiles }: CodeTable<Row>,
  mapping: (row: Row, isLike: boolean) => CodeMapping,
): Readonly<Record<string, Readonly<Record<string, CodeMapping>>>> {
  const mapped = (rows: Readonly<Record<string, Row>>, isLike = false) =>
    Object.fromEntries(Object.entries(rows).map(([code, row]) => [code, mapping(row, isLike)]))
  return Object.fromEntries(
    Object.entries(profiles).map(([name, rows]) => [
      name,
      { ...mapped(rows), ...mapped(likeRowsOf(name, rows), true), ...mapped(unregistered) },
    ]),
  )
}
