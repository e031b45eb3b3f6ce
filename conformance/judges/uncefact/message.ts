import { readFileSync } from 'node:fs'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Judge } from '../judge.ts'
import { official } from '../official.ts'
import { messageFile } from './classes.ts'
import { isMessage, read } from './read.ts'

/**
 * The schema's code lists are thousands of `oneOf` branches, on which the compiler runs out of stack; as an `enum` of the
 * same values they mean the same.
 */
function collapsed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(collapsed)
  if (typeof value !== 'object' || value === null) return value
  const { oneOf, ...rest } = value as { oneOf?: unknown }
  const members = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, collapsed(member)]))
  if (oneOf === undefined) return members
  const constants = Array.isArray(oneOf) ? oneOf.map((branch: { const?: unknown }) => branch.const) : []
  // `oneOf` would refuse a value that is in the list twice; that is a mistake of the list, not a rule.
  return constants.length > 0 && constants.every((one) => one !== undefined)
    ? { ...members, enum: [...new Set(constants)] }
    : { ...members, oneOf: collapsed(oneOf) }
}

/** The official JSON Schema of the status report, D23B. */
export const messageSchemaJudge: Judge = {
  name: 'JSON Schema D23B (UN/CEFACT)',
  format: 'uncefact',
  takes: isMessage,
  open: official([messageFile], ([file]) => {
    const schema = collapsed(JSON.parse(readFileSync(file, 'utf8'))) as object
    const ajv = new Ajv2020.default({ strict: false, allErrors: true, messages: true, logger: false })
    const validate = addFormats.default(ajv).compile(schema)
    return (judged) => {
      const document = read(judged)
      if (typeof document === 'string') return [document]
      if (validate(document)) return []
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
    }
  }),
}
