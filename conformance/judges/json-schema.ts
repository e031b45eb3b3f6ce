import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { type Judged, type ReadyJudge, readyJudge } from './judge.ts'

interface SchemaOf {
  readonly name: string
  readonly format: string
  /** Whether it judges the requests that `as=input` gives, and not the documents. */
  readonly isInput?: true
  /** The schema (JSON Schema draft 7), made at first use. */
  schema(): object
}

/** A judge of plain JSON documents by a JSON Schema, which is compiled at first use. */
export function schemaJudge({ name, format, isInput, schema }: SchemaOf): ReadyJudge {
  let validate: ValidateFunction | undefined
  return readyJudge({
    name,
    format,
    takes: (judged) => isPlainJson(judged) && isInputOf(judged) === (isInput === true),
    judge({ text }) {
      validate ??= addFormats.default(new Ajv({ allErrors: true, strict: true })).compile(schema())
      return validate(JSON.parse(text)) ? [] : (validate.errors ?? []).map(sentence)
    },
  })
}

/** A judge of plain JSON documents by rules that no schema can express; each finding is a sentence. */
export function rulesJudge<Doc>(
  name: string,
  format: string,
  rules: (document: Doc, judged: Judged) => readonly (string | false)[],
  { isInput }: Pick<SchemaOf, 'isInput'> = {},
): ReadyJudge {
  return readyJudge({
    name,
    format,
    takes: (judged) => isPlainJson(judged) && isInputOf(judged) === (isInput === true),
    judge(judged) {
      return rules(JSON.parse(judged.text), judged).filter((found) => found !== false)
    },
  })
}

function isInputOf({ target }: Judged): boolean {
  return target.options.as === 'input' || target.options.as === 'insert'
}

function isPlainJson({ mediaType, form }: Judged): boolean {
  return mediaType === 'application/json' && form === undefined
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`
}
