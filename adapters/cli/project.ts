import { type Context, call, maxEvents, otepIngest, type Remark } from '../../engine/index.ts'
import { parsedOrError } from '../http/json.ts'
import { type Run, usageError } from './command.ts'
import { documentText, foreignDocument, requestedFormat, timelinesOf } from './document.ts'
import { openInput, textOf } from './input.ts'
import { contextWithoutStore } from './session.ts'

/** `otep project`: turns a file of events into documents of a format, without a store. */
export const run: Run = async (invocation) => {
  const { values, stdout, stderr } = invocation
  const context = await contextWithoutStore(invocation, typeof values.as === 'string' ? values.as : undefined)
  const asked = requestedFormat(invocation, context)
  const text = await textOf(openInput(invocation))
  if (text.trim() === '') throw usageError('The input is empty.')
  let isWhole = true
  for (const document of documentsOf(text, values.from)) {
    for (const { errors = [], warnings = [] } of await ingestDocument(context, document, values.from)) {
      if (errors.length > 0) isWhole = false
      for (const remark of errors) stderr.write(`${place(remark)}: ${remark.message}\n`)
      // Repeated or late events in a native file are no news; what another format contains and OTEP cannot express is.
      for (const remark of values.from === undefined ? [] : warnings)
        stderr.write(`warning: ${place(remark)}: ${remark.message}\n`)
    }
  }
  for await (const timeline of timelinesOf(context)) stdout.write(await documentText(timeline, asked))
  return isWhole ? 0 : 1
}

/** Splits a file into documents for single calls: a whole document, or thousands of lines. */
function documentsOf(text: string, from: string | boolean | undefined): readonly unknown[] {
  if (from !== undefined) return [foreignDocument(text)]
  const whole = parsedOrError(text)
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  if (!(whole instanceof Error)) return [whole]
  if (lines.slice(0, 2).some((line) => parsedOrError(line) instanceof Error)) throw whole
  const parts = Array.from({ length: Math.ceil(lines.length / maxEvents) }, (_, part) => part * maxEvents)
  return parts.map((start) => ({ lines: lines.slice(start, start + maxEvents).map(parsedOrError) }))
}

interface EventOutcome {
  readonly errors?: readonly Remark[]
  readonly warnings?: readonly Remark[]
}

/** Records a document and returns the outcome of each event. */
async function ingestDocument(context: Context, document: unknown, from: string | boolean | undefined) {
  const format = typeof from === 'string' ? { format: from } : {}
  const answer = await call(otepIngest, context, { document, ...format })
  return (answer.data as { readonly events: readonly EventOutcome[] }).events
}

function place({ path }: Remark): string {
  return path || '(document)'
}
