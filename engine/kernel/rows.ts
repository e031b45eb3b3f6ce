import * as v from 'valibot'
import { EngineError } from './errors.ts'
import { type Finding, pathTo, remark } from './finding.ts'
import { isObject } from './members.ts'
import { type Code, type Messages, messageOf, type Params } from './messages/index.ts'
import { named } from './named.ts'

/** Why one of many was refused, without the input values that findings repeat, because those may be personal data. */
export interface RowRefusal {
  readonly code: string
  readonly params: Params
  /** The invalid members. */
  readonly errors?: readonly Finding[]
}

/** The refusal of one of many. */
export function rowRefusalOf({ code, params, findings }: EngineError): RowRefusal {
  const errors = findings.map(withoutReceived)
  return { code, params, ...(errors.length === 0 ? {} : { errors }) }
}

function withoutReceived({ path, code, params = {} }: Finding): Finding {
  const repeatsInput = params.received !== undefined && code !== 'wrong_type'
  return { path, code, params: repeatsInput ? { ...params, received: '…' } : params }
}

/** A finding in an answer. */
export const finding = named('Finding', v.strictObject({ path: v.string(), code: v.string(), message: v.string() }))

/** The members of an answer that say why one of many was refused. */
export const rowRefusalEntries = {
  code: v.exactOptional(v.string()),
  message: v.exactOptional(v.string()),
  errors: v.exactOptional(v.array(finding)),
}

/** A refused row as answers show it: its refusal with the messages in a language, and its other members. */
export function refusedRowAnswer<Row extends RowRefusal>({ code, params, errors, ...row }: Row, messages: Messages) {
  return {
    ...{ ...row, code, message: messageOf(code as Code, params, messages) },
    ...(errors === undefined ? {} : { errors: errors.map((error) => remark(error, messages)) }),
  }
}

/** The sender's own reference of one of many, if it is readable. */
export function referenceOf(input: unknown): string | undefined {
  const reference = isObject(input) ? input.reference : undefined
  return typeof reference === 'string' && reference !== '' ? reference.slice(0, 100) : undefined
}

/** How many were created, and how many were refused. */
export function tallyOf(rows: readonly { readonly result: boolean }[]) {
  const created = rows.filter(({ result }) => result).length
  return { created, failed: rows.length - created }
}

/** The most JSON characters of one of many, because several are stored in one event until their turn. */
const maxLength = 16_384

/** Refuses those of many that are too long to be kept until their turn, with `invalid_input` and `too_long` at each. */
export function refuseLongRows(member: string, rows: readonly unknown[]): void {
  const long = rows.flatMap((row, index): readonly Finding[] => {
    const isLong = JSON.stringify(row).length > maxLength
    return isLong ? [{ path: pathTo(member, index), code: 'too_long', params: { limit: maxLength } }] : []
  })
  if (long.length > 0) throw new EngineError('invalid_input', { count: long.length }, long)
}
