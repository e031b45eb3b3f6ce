import { type Answer, EngineError, isObject, type Operation, type Representation } from '../../engine/index.ts'
import type { Negotiated } from '../http/negotiate.ts'
import type { LongRead } from '../node/long-read.ts'
import { type Body, bodyOf } from './text.ts'

/** The longest list in a header, in characters. */
const maxListed = 4_096

/** The response with one document of many things; a header names what is not in it. */
export async function joinedResponse(
  { joined }: Operation,
  { context, end }: LongRead,
  input: unknown,
  { type, representation }: Negotiated & { readonly representation: Representation },
): Promise<{ readonly status: number; readonly body: Body; readonly headers: Readonly<Record<string, string>> }> {
  try {
    if (joined === undefined) throw new EngineError('not_acceptable', { expected: 'application/json' })
    const { pieces, refused } = await joined(context, input, representation)
    const headers = { 'Content-Type': type, 'Otep-Refused': refusedIn(refused) }
    return { status: 200, body: await bodyOf(pieces, context.pause, end), headers }
  } catch (error) {
    end()
    throw error
  }
}

/**
 * How many numbers are refused, and which: `2; SR9=timeline_not_found, 77=ambiguous_identifier`, percent-encoded. Those
 * that a header has no room for are only counted.
 */
function refusedIn({ data }: Answer): string {
  const all = Array.isArray(data) ? data.filter(isObject) : []
  let list = ''
  for (const { tracking_number, code } of all) {
    const one = `${encodeURIComponent(String(tracking_number).toWellFormed())}=${code}`
    if (list.length + one.length > maxListed) break
    list += `${list === '' ? '; ' : ', '}${one}`
  }
  return `${all.length}${list}`
}
