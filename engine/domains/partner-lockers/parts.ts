import * as v from 'valibot'
import type { Code } from '../../kernel/messages/index.ts'
import { named } from '../../kernel/named.ts'
import { number, word } from '../../kernel/schemas.ts'

/** The limit of the parcels of a delivery, and of the compartments that are opened at once. */
export const maxParts = 50

/** A list in which no two items have the same value of a member. */
function distinctBy<Item extends object>(member: keyof Item & string) {
  return v.rawCheck<Item[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const input = dataset.value
    // The items are not validated yet when this first runs: any may be null.
    const values: readonly unknown[] = input.map((item) => item?.[member])
    for (const [key, value] of input.entries())
      if (values.indexOf(values[key]) < key)
        addIssue({
          message: 'not_unique' satisfies Code,
          path: [{ type: 'array', origin: 'value', input, key, value }],
        })
  })
}

const parcelEntries = { reference_number: v.pipe(word(100), v.description('The partner’s name of the parcel.')) }

const parcel = named('LockerParcel', v.strictObject(parcelEntries))

/** The parcels of a delivery. */
export const parcelList = v.pipe(v.array(parcel), v.maxLength(maxParts))

/** The input of the parcels of a delivery. */
export const parcelsInput = v.pipe(
  v.array(parcel),
  v.minLength(1),
  v.maxLength(maxParts),
  distinctBy('reference_number'),
)

/** Why a parcel did not come into the locker. */
const failureCodes = {
  no_free_compartment: 'No compartment was free.',
  too_large: 'The parcel fits into none of the compartments.',
  compartment_occupied: 'The compartment was not empty.',
  compartment_unusable: 'The compartment was dirty or broken.',
  door_not_opened: 'The door did not open.',
  door_not_closed: 'The door could not be closed.',
  device_offline: 'The locker did not answer.',
  device_not_reached: 'The courier could not get to the locker.',
  deposit_not_confirmed: 'Nobody confirmed the deposit.',
  parcel_missing: 'The courier did not have the parcel.',
  parcel_damaged: 'The parcel was damaged.',
  wrong_parcel: 'It was another parcel.',
  other: 'Another reason.',
} as const satisfies Record<string, string>

const failedParcel = named(
  'FailedParcel',
  v.strictObject({
    ...parcelEntries,
    failure_code: v.pipe(
      v.picklist(Object.keys(failureCodes) as (keyof typeof failureCodes)[]),
      v.description(
        Object.entries(failureCodes)
          .map(([name, meaning]) => `${name}: ${meaning}`)
          .join(' '),
      ),
    ),
  }),
)

/** Parcels that did not come into the locker, and why. */
export const failedParcelList = v.pipe(v.array(failedParcel), v.maxLength(maxParts))

/** The input of failed parcels. */
export const failedParcelsInput = v.pipe(
  v.array(failedParcel),
  v.minLength(1),
  v.maxLength(maxParts),
  distinctBy('reference_number'),
)

const hardware = {
  grid_id: v.pipe(number, v.description('Id of the compartment.')),
  compartment_number: v.pipe(number, v.description('Number of the hardware.')),
}
const displayNumber = 'Number on display: counted from top to bottom within a column, then from left to right.'

const compartmentEntries = {
  ...hardware,
  pickup_locker_number: v.pipe(v.nullable(number), v.description(displayNumber)),
  pickup_locker_code: v.pipe(
    v.nullable(v.pipe(v.string(), v.maxLength(80))),
    v.description('Label `{shelf_code}-{pickup_locker_number}`; null without a number on display.'),
  ),
}

/** Compartments as a cabinet names them (document 3, the `opening` block). */
export const compartmentList = v.pipe(v.array(v.strictObject(compartmentEntries)), v.maxLength(maxParts))

/** Compartments that were opened for a delivery, and whether their doors are. */
export const openedList = v.array(v.strictObject({ ...compartmentEntries, is_open: v.boolean() }))

const compartmentInput = v.strictObject({
  ...hardware,
  pickup_locker_number: v.exactOptional(v.pipe(number, v.description(displayNumber))),
  shelf_code: v.exactOptional(
    v.pipe(word(50), v.description('Label of the column or cabinet, which the label of the compartment begins with.')),
  ),
})

/** The input of compartments. */
export const compartmentsInput = v.pipe(
  v.array(compartmentInput),
  v.minLength(1),
  v.maxLength(maxParts),
  distinctBy('grid_id'),
)

/** A compartment as a cabinet names it. */
export type Compartment = v.InferOutput<typeof compartmentList>[number]

/** A compartment that was opened for a delivery. */
export type Opened = v.InferOutput<typeof openedList>[number]

/** Compartments of a request, with their labels. */
export function labelled(compartments: v.InferOutput<typeof compartmentsInput>): readonly Compartment[] {
  return compartments.map(({ pickup_locker_number = null, shelf_code, ...rest }) => ({
    ...rest,
    pickup_locker_number,
    pickup_locker_code:
      shelf_code === undefined || pickup_locker_number === null ? null : `${shelf_code}-${pickup_locker_number}`,
  }))
}

/** The compartments of a delivery after some were opened: the last opened are the last. */
export function withOpened(known: readonly Opened[], opened: readonly Compartment[]): readonly Opened[] {
  const again = new Set(opened.map(({ grid_id }) => grid_id))
  return [...known.filter(({ grid_id }) => !again.has(grid_id)), ...opened.map((one) => ({ ...one, is_open: true }))]
}

/** The compartments of a delivery after the doors of some were opened or closed. */
export function withDoors(known: readonly Opened[], grids: readonly number[], is_open: boolean): readonly Opened[] {
  return known.map((one) => (grids.includes(one.grid_id) ? { ...one, is_open } : one))
}
