import { remark } from '../../engine/index.ts'
import { hashEpcis } from '../../projections/epcis/parse/hashes.ts'
import type { Run } from './command.ts'
import { foreignDocument } from './document.ts'
import { openInput, textOf } from './input.ts'
import { messagesFor } from './session.ts'

/** `otep hash`: prints the event hash ids of an EPCIS document, and whether its own ids fit. */
export const run: Run = async (invocation) => {
  const { values, stdout, stderr, env } = invocation
  const { events, findings } = hashEpcis(foreignDocument(await textOf(openInput(invocation))))
  const errors = findings.map((finding) => remark(finding, messagesFor(env)))
  const isGood = errors.length === 0 && events.every(({ fits }) => fits !== false)
  if (values.json === true) stdout.write(`${JSON.stringify({ events, errors }, null, 2)}\n`)
  else {
    for (const { path, hash, fits, id } of events) {
      const verdict = fits === undefined ? '' : fits ? '  fits' : `  differs from ${id}`
      stdout.write(`${path || '(event)'}  ${hash}${verdict}\n`)
    }
    for (const { path, message } of errors) stderr.write(`error: ${path || '(document)'}: ${message}\n`)
  }
  return isGood ? 0 : 1
}
