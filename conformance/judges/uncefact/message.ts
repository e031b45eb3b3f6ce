import { readFileSync } from 'node:fs'
import type { ValidateFunction } from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Judge, missingFiles, standardsFile } from '../judge.ts'
import { messageFile } from './classes.ts'
import { isMessage, read } from './read.ts'

let compiled: ValidateFunction | undefined

/**
 * The official schema. Its code lists are thousands of `oneOf` branches, on which the compiler runs out of stack; as an
 * `enum` of the same values they mean the same.
 */
function schema(): ValidateFunction {
  compiled ??= addFormats
    .default(new Ajv2020.default({ strict: false, allErrors: true, messages: true, logger: false }))
    .compile(collapsed(JSON.parse(readFileSync(standardsFile(messageFile), 'utf8'))))
  return compiled
}

function collapsed(value: unknown): object {
  return walk(value) as object
}

function walk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(walk)
  if (typeof value !== 'object' || value === null) return value
  const { oneOf, ...rest } = value as { oneOf?: unknown }
  const members = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, walk(member)]))
  if (oneOf === undefined) return members
  const constants = Array.isArray(oneOf) ? oneOf.map((branch: { const?: unknown }) => branch.const) : []
  // `oneOf` would refuse a value that is in the list twice; that is a mistake of the list, not a rule.
  return constants.length > 0 && constants.every((one) => one !== undefined)
    ? { ...members, enum: [...new Set(constants)] }
    : { ...members, oneOf: walk(oneOf) }
}

/** The official JSON Schema of the status report, D23B. */
export const messageSchemaJudge: Judge = {
  name: 'JSON Schema D23B (UN/CEFACT)',
  format: 'uncefact',
  missing: () => missingFiles(messageFile),
  takes: isMessage,
  judge: (judged) => {
    const document = read(judged)
    if (typeof document === 'string') return [document]
    const check = schema()
    if (check(document)) return []
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
  },
}
