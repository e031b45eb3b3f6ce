import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import type { Judge, Judged } from '../judge.ts'
import { madeOf } from '../official.ts'
import { jsonSchema } from './files.ts'

/** GS1's JSON Schema of EPCIS 2.0; it is not written for strict mode. */
export const jsonSchemaJudge: Judge<Pick<Judged, 'text'>> = {
  name: 'JSON Schema (GS1)',
  format: 'epcis',
  takes: isJson,
  open: madeOf(jsonSchema, (schema) => {
    const validate = addFormats.default(new Ajv({ strict: false, allErrors: true })).compile(schema)
    return ({ text }) => (validate(JSON.parse(text)) ? [] : (validate.errors ?? []).map(sentence))
  }),
}

/** Whether the document is JSON; of JSON-LD the compacted form, which is the one that EPCIS has. */
export function isJson({ mediaType }: Judged): boolean {
  return mediaType === 'application/json' || mediaType === 'application/ld+json'
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`
}
