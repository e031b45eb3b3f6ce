import type { PrintedLabel, PrintedParty } from '../../engine/index.ts'

/** A text on a label, and the member that it comes from. */
export interface Said {
  readonly text: string
  readonly member: string
  readonly isBold?: boolean
  /** Whether a parcel does not arrive if nobody can read it. */
  readonly isVital?: boolean
}

/** What a label says of somebody. */
export function partySaid({ name, lines, phone }: PrintedParty, member: 'from' | 'to'): readonly Said[] {
  const isVital = member === 'to'
  return [
    { text: name, member: `${member}.name`, isBold: true, isVital },
    ...lines.map((text) => ({ text, member: `${member}.address`, isVital })),
    ...(phone === undefined ? [] : [{ text: phone, member: `${member}.phone` }]),
  ]
}

/** What a label says of the parcel beside its number. */
export function detailsSaid({ reference, day, weight_grams: grams, note }: PrintedLabel): readonly Said[] {
  return [
    ...(reference === undefined ? [] : [{ text: `Reference: ${reference}`, member: 'reference' }]),
    ...(day === undefined ? [] : [{ text: `Date: ${day}`, member: 'day' }]),
    ...(grams === undefined ? [] : [{ text: `Weight: ${grams / 1000} kg`, member: 'weight' }]),
    ...(note === undefined ? [] : [{ text: note, member: 'note', isBold: true }]),
  ]
}
