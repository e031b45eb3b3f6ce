import * as v from 'valibot'
import type { Code } from '../../kernel/messages/index.ts'
import { instant as anyInstant, id as number, word } from '../../kernel/schemas.ts'
import { instantOf, isoOf } from '../../kernel/time.ts'

/** Text on one line that says something. */
export function line(limit: number, description: string) {
  return v.pipe(word(limit), v.description(description))
}

/** A number that names something. */
export function id(description: string) {
  return v.pipe(number, v.description(description))
}

/** An instant: RFC 3339 with an offset. */
export function instant(description: string) {
  return v.pipe(anyInstant, v.description(description))
}

/** An instant as facts have it: UTC, milliseconds; and so in order as text. */
export function utcOf(text: string): string {
  return isoOf(instantOf(text))
}

/** A list in which no two items have the same value in a member. */
export function distinctBy<Item extends object>(member: keyof Item & string) {
  return v.rawCheck<Item[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const input = dataset.value
    // At first sight of an input the items are not looked at yet: any may be null.
    const values: readonly unknown[] = input.map((item) => item?.[member])
    for (const [key, value] of input.entries())
      if (values.indexOf(values[key]) < key)
        addIssue({
          message: 'not_unique' satisfies Code,
          path: [{ type: 'array', origin: 'value', input, key, value }],
        })
  })
}

/** The member of the path that names a locker delivery. */
export const deliveryId = { delivery_id: id('Id of the locker delivery.') }

/** What a partner calls a parcel. */
export const parcelEntries = { reference_number: line(100, 'What the partner calls the parcel.') }

/** So many parcels go into one delivery, and so many compartments are opened at once. */
export const maxParcels = 50
