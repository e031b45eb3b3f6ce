import * as v from 'valibot'
import type { Code } from '../../kernel/messages/index.ts'
import { instantOf, instantProblem, isoOf } from '../../kernel/time.ts'

/** A check whose refusal is a code of the catalogue; JSON Schema knows nothing of it. */
function refusing(problem: (text: string) => Code | undefined) {
  return v.rawCheck<string>(({ dataset, addIssue }) => {
    const code = dataset.typed ? problem(dataset.value) : undefined
    if (code !== undefined) addIssue({ message: code })
  })
}

const control = /[\u0000-\u001f\u007f-\u009f]/

/** Text on one line that says something; timelines take it as it is. */
export function line(limit: number, description: string) {
  return v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(limit),
    refusing((value) => {
      if (!value.isWellFormed()) return 'not_well_formed'
      if (control.test(value)) return 'control_character'
      return value !== '' && value.trim() === '' ? 'blank' : undefined
    }),
    v.description(description),
  )
}

/** A number that names something. */
export function id(description: string) {
  return v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.description(description))
}

/** An instant: RFC 3339 with an offset. */
export function instant(description: string) {
  return v.pipe(
    v.string(),
    v.maxLength(40),
    refusing(instantProblem),
    v.metadata({ format: 'date-time' }),
    v.description(description),
  )
}

/** An instant as facts have it: UTC, milliseconds; and so in order as text. */
export function utcOf(text: string): string {
  return isoOf(instantOf(text))
}

/** The member of the path that names a device order. */
export const deviceOrderId = { device_order_id: id('Id of the device order.') }
