import { type GenericSchema, picklist, safeParse } from 'valibot'
import { type CodeMapping, codeOf, type Profile, perProfile, type StatusCode } from '../../engine/index.ts'
import { type ProfileCodes, parcel, unregisteredCodes } from '../../profiles/index.ts'

export { unregisteredCodes } from '../../profiles/index.ts'

/** The meaning of a code, as a short English sentence. Undefined if neither the profile nor `unregisteredCodes` has it. */
export function meaningOf(profile: Profile, code: string): string | undefined {
  return codeOf(profile, code)?.meaning ?? unregisteredMeanings.get(code)
}

const unregisteredMeanings: ReadonlyMap<string, string> = new Map(Object.entries(unregisteredCodes))

/** A code of `unregisteredCodes`, or `x-*` for every other unregistered code. */
export type Unregistered = keyof typeof unregisteredCodes | 'x-*'

/**
 * A row for every universal code, which is a code of the parcel profile without `like`, and for the unregistered codes.
 * A missing one does not compile. Other codes may have a row. Without one they have the row that the code carries for
 * the format (`StatusCode.formats`), or else the row of the code that they are like.
 */
export type CodeTable<Row> = {
  readonly parcel: UniversalRows<ProfileCodes['parcel'], Row>
  readonly unregistered: Readonly<Record<Unregistered, Row>>
} & {
  readonly [Other in Exclude<keyof ProfileCodes, 'parcel'>]?: Readonly<Partial<Record<keyof ProfileCodes[Other], Row>>>
}

/** A row for every code without `like`, and optional rows for the others. */
type UniversalRows<Codes, Row> = {
  readonly [Code in keyof Codes as Codes[Code] extends Like ? never : Code]: Row
} & { readonly [Code in keyof Codes as Codes[Code] extends Like ? Code : never]?: Row }

interface Like {
  readonly like: string
}

/** The schema of `CodeMapping.fidelity`, for rows that codes carry. */
export const fidelitySchema = picklist(['=', '~', 'none'])

/** Rows that codes carry for a format: the format's name and the schema of a row (`Projection.rows`). */
export interface CarriedRows<Row> {
  readonly format: string
  readonly schema: GenericSchema<unknown, Row>
}

/** The same row or mapping, with the fidelity `~` if it was `=`. */
export function inPart<Row>(row: Row): Row {
  const isExact = typeof row === 'object' && row !== null && 'fidelity' in row && row.fidelity === '='
  return isExact ? { ...row, fidelity: '~' } : row
}

/** A row of a table for a code of a profile. */
interface FoundRow<Row> {
  readonly row: Row
  /** Whether it is the row of another code, which this one is like. */
  readonly isLike: boolean
}

type Found<Row> = ReadonlyMap<string, FoundRow<Row>>

/** The rows of all codes of a profile in a table, then those of the unregistered codes. */
function foundIn<Row>(table: CodeTable<Row>, carried?: CarriedRows<Row>): (profile: Profile) => Found<Row> {
  refuseGaps(table)
  const tables: Readonly<Record<string, Readonly<Record<string, Row>>>> = table
  const rows = new Map(Object.entries(tables).map(([name, own]) => [name, new Map(Object.entries(own))]))
  const unregistered = Object.entries<Row>(table.unregistered).map(
    ([code, row]) => [code, { row, isLike: false }] as const,
  )
  const near = new Map([...(rows.get('parcel') ?? []), ...(rows.get('unregistered') ?? [])])
  const carriedBy = ({ formats = {} }: StatusCode) => {
    if (carried === undefined || !Object.hasOwn(formats, carried.format)) return undefined
    const { success, output } = safeParse(carried.schema, formats[carried.format])
    return success ? output : undefined
  }
  return perProfile(({ name, codes }) => {
    const found = new Map<string, FoundRow<Row>>()
    for (const [code, meaning] of Object.entries(codes)) {
      const own = carriedBy(meaning) ?? rows.get(name)?.get(code)
      const row = own ?? near.get(meaning.like ?? code) ?? table.unregistered['x-*']
      found.set(code, own === undefined ? { row: inPart(row), isLike: true } : { row, isLike: false })
    }
    return new Map([...found, ...unregistered])
  })
}

/** Throws if a table lacks a row, which the compiler does not see in JavaScript. */
function refuseGaps({ parcel: rows, unregistered }: CodeTable<unknown>): void {
  const universal = Object.entries<Profile['codes'][string]>(parcel.codes).flatMap(([code, { like }]) =>
    like === undefined ? [code] : [],
  )
  const lacking = [
    ...universal.filter((code) => !Object.hasOwn(rows, code)).map((code) => `parcel.${code}`),
    ...[...Object.keys(unregisteredCodes), 'x-*']
      .filter((code) => !Object.hasOwn(unregistered, code))
      .map((code) => `unregistered.${code}`),
  ]
  if (lacking.length > 0) throw new Error(`the table of codes lacks a row for ${lacking.join(', ')}`)
}

/**
 * Returns a function that finds the row of a code of a profile. A code that the profile does not have gets the row of the
 * unregistered code, or of `x-*`.
 */
export function rowsOf<Row>(
  table: CodeTable<Row>,
  carried?: CarriedRows<Row>,
): (profile: Profile, code: string) => Row {
  const found = foundIn(table, carried)
  return (profile, code) => found(profile).get(code)?.row ?? table.unregistered['x-*']
}

/**
 * The table as a format publishes it: the codes of a profile, and then the unregistered ones. `mapping` gets whether
 * the row is that of another code, which this one is like.
 */
export function mappingsOf<Row>(
  table: CodeTable<Row>,
  mapping: (row: Row, isLike: boolean) => CodeMapping,
  carried?: CarriedRows<Row>,
): (profile: Profile) => Readonly<Record<string, CodeMapping>> {
  const found = foundIn(table, carried)
  return perProfile((profile) =>
    Object.fromEntries([...found(profile)].map(([code, { row, isLike }]) => [code, mapping(row, isLike)])),
  )
}

/** The published mappings of a format that keeps every code: the value is the code, written by `written`. */
export function keptMappings(
  written: (profile: Profile, code: string) => string,
  unregistered: readonly string[] = [...Object.keys(unregisteredCodes), 'x-*'],
): (profile: Profile) => Readonly<Record<string, CodeMapping>> {
  return perProfile((profile) =>
    Object.fromEntries(
      [...Object.keys(profile.codes), ...unregistered].map((code) => [
        code,
        { fidelity: '=', value: written(profile, code) } as const,
      ]),
    ),
  )
}
