import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { type Judge, type Judged, missingFiles, standardsFile } from '../judge.ts'

const file = 'epcis/schema/EPCIS-JSON-Schema.json'

let compiled: ValidateFunction | undefined

/** GS1's JSON Schema of EPCIS 2.0 (draft 7); it is not written for strict mode. */
export const jsonSchemaJudge: Judge = {
  name: 'JSON Schema (GS1)',
  format: 'epcis',
  missing: () => missingFiles(file),
  takes: isJson,
  judge({ text }) {
    const validate = validator()
    return validate(JSON.parse(text)) ? [] : (validate.errors ?? []).map(sentence)
  },
}

/** Whether the document is JSON; of JSON-LD the compacted form, which is the one that EPCIS has. */
export function isJson({ mediaType }: Judged): boolean {
  return mediaType === 'application/json' || mediaType === 'application/ld+json'
}

function validator(): ValidateFunction {
  compiled ??= addFormats
    .default(new Ajv({ strict: false, allErrors: true }))
    .compile(JSON.parse(readFileSync(standardsFile(file), 'utf8')))
  return compiled
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`
}
