import { appendFileSync } from 'node:fs'

/**
 * Adds a call to the file that `OTEP_TEST_CALLS` names, if one is named: conformance/examples.ts chooses the examples of the
 * interface from them.
 */
export function recordCall(call: object): void {
  const { OTEP_TEST_CALLS: file } = process.env
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(call)}\n`)
}
