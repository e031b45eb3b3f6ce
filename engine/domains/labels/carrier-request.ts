import * as v from 'valibot'
import { type Field, nobody, type Setting, type Values } from '../../entity/field.ts'
import { staff } from '../../kernel/account.ts'
import { type CarrierRefusal, refusalCodes } from '../../kernel/carrier.ts'
import { recordedInstant } from '../../kernel/schemas.ts'

/** The decisions that hold for most facts of what carriers are asked for: staff see them, and they are no price. */
export const shown = {
  personal: false,
  price: 'none',
  carried: false,
  listed: 'no',
  webhooks: 'none',
  setBy: staff,
  shownTo: staff,
} as const

/** Facts for the engine alone. */
export const hidden = { ...shown, setBy: nobody, shownTo: nobody } as const

/** The moves of what a carrier is asked for; the events have the name of the thing in front, as `PickupTried`. */
export function askingMoves<const Name extends string, const Status extends string>(
  thing: Name,
  pending: readonly Status[],
) {
  return {
    /** The carrier is asked from now on; nobody else asks it before `until`. */
    try: { from: pending, ignoredIn: 'others', event: `${thing}Tried` },
    /** It is not known whether the carrier did what it was asked. It is asked again. */
    leave_unclear: { from: pending, ignoredIn: 'others', event: `${thing}Unclear` },
  } as const
}

/** The moves that ask a carrier for something, and those with which its answer is known. */
interface Phases {
  readonly begins: readonly string[]
  readonly ends: readonly string[]
}

type Settings = Readonly<Record<string, Setting>>

/** Moves that set a field in the same way. */
function each(moves: readonly string[], setting: Setting): Settings {
  return Object.fromEntries(moves.map((move) => [move, setting]))
}

/** The facts of how a carrier is asked: when next, and how it went so far. */
export function askingFields({ begins, ends }: Phases) {
  const counted = { ...hidden, type: v.number(), example: 1 } as const
  const instant = { ...hidden, type: recordedInstant, example: '2026-06-10T10:00:30.000Z' } as const
  const next = (name: 'until' | 'next_at') => ({ of: ({ [name]: at }: Values) => at })
  const more = (name: 'tries' | 'failures') => ({
    of: (_: unknown, { [name]: count = 0 }: Values) => Number(count) + 1,
  })
  return {
    due_at: {
      ...instant,
      about: 'When the carrier is to be asked: ISO 8601, UTC; missing if there is nothing to ask.',
      set: {
        ...each(begins, 'now'),
        ...each(ends, 'cleared'),
        ...{ try: next('until'), leave_unclear: next('next_at') },
      } as Settings,
      listed: 'key',
    },
    is_waiting: {
      ...hidden,
      about: 'Whether the carrier is yet to answer.',
      type: v.boolean(),
      example: true,
      set: { ...each(begins, { is: true }), ...each(ends, { is: false }) } as Settings,
      listed: 'key',
    },
    tries: {
      ...counted,
      about: 'How often the carrier was asked, since something new was to be asked.',
      set: { ...each(begins, { is: 0 }), try: more('tries') } as Settings,
    },
    failures: {
      ...counted,
      about: 'How often it was not known what the carrier did, since something new was to be asked.',
      set: { ...each(begins, { is: 0 }), leave_unclear: more('failures') } as Settings,
    },
    until: { ...instant, about: 'Until when nobody else asks the carrier.', set: { try: 'engine' } },
    next_at: { ...instant, about: 'When the carrier is asked again.', set: { leave_unclear: 'engine' } },
    failure: {
      ...hidden,
      about: 'Why it is not known what the carrier did.',
      type: v.string(),
      example: 'timed_out',
      set: { leave_unclear: 'engine' },
    },
  } as const satisfies Readonly<Record<string, Field>>
}

/** Why a carrier refused, which may tell of people; moves that ask it again take the refusal away. */
export function refusalFields(about: string, again: readonly string[], refuses: readonly string[]) {
  const set = { ...each(again, 'cleared'), ...each(refuses, 'engine') }
  return {
    refusal: {
      ...shown,
      about,
      type: v.picklist(refusalCodes),
      example: 'too_late',
      set,
      shownAs: 'refusal.code',
    },
    message: {
      ...shown,
      about: 'The reason in the words of the carrier. It is missing once it was erased.',
      type: v.string(),
      example: 'The driver is on the way.',
      set,
      shownAs: 'refusal.message',
      personal: true,
    },
  } as const satisfies Readonly<Record<string, Field>>
}

/** A refusal as events record it: what the carrier says may tell of people. */
export function reasonOf({ code: refusal, message }: CarrierRefusal): Values {
  return { refusal, message }
}
