import * as v from 'valibot'
import type { Context } from './context.ts'

type Parts = Pick<Context, 'credentials' | 'clock'>

/**
 * What a text says that this server sealed as JSON; undefined if it sealed none such or if its time is over, where it has an
 * end (`until`). Links, tickets and others are sealed alike, so the schema tells them apart, as by a member with their purpose.
 */
export function unsealed<Output extends { readonly kind?: string; readonly until?: number }>(
  { credentials, clock }: Parts,
  schema: v.GenericSchema<unknown, Output>,
  text: string,
): Output | undefined {
  const { output, success } = v.safeParse(schema, jsonIn(credentials.unseal(text)))
  return success && clock() < (output.until ?? Number.POSITIVE_INFINITY) ? output : undefined
}

function jsonIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
