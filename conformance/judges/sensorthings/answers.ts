import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { setOf } from './entities.ts'
import { entitySchemas } from './schema.ts'

const validators = new Map<string, ValidateFunction>()

/** What is wrong with an answer to a read of entities at an address; empty for other answers (18-088, clauses 8 and 9). */
export function answerFaults(address: string, answer: unknown): readonly string[] {
  const { pathname, searchParams } = new URL(address)
  const [, name = '', key] =
    /\/([A-Za-z]+)(\([^/]*\))?$/.exec(decodeURIComponent(pathname).replace(/'[^']*'/g, "''")) ?? []
  const set = Object.values(setOf).includes(name) ? name : Object.hasOwn(setOf, name) ? setOf[name] : undefined
  const isPart = [...searchParams].some(
    ([option, value]) => option === '$resultFormat' || /\$select/.test(option + value),
  )
  if (set === undefined || isPart) return []
  if (key !== undefined || set !== name) return entityFaults(set, answer)
  const { value, '@iot.nextLink': next, '@iot.count': count, ...more } = answer as Readonly<Record<string, unknown>>
  if (!Array.isArray(value)) return ['A list has no value.']
  return [
    ...Object.keys(more).map((member) => `A list has ${member}.`),
    ...(next === undefined || (typeof next === 'string' && URL.canParse(next))
      ? []
      : ['A link to the next page is none.']),
    ...(searchParams.get('$count') !== 'true' || Number.isInteger(count) ? [] : ['There is no count.']),
    ...value.flatMap((entity) => entityFaults(set, entity)),
  ]
}

function entityFaults(set: string, entity: unknown): readonly string[] {
  const validate = validators.get(set) ?? addFormats.default(new Ajv({ strict: true })).compile(entitySchemas(set))
  validators.set(set, validate)
  return validate(entity)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${set}${instancePath} ${message}`)
}
