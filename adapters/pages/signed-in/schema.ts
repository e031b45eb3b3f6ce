import { html } from 'hono/html'
import { domains, isObject, type Operation } from '../../../engine/index.ts'
import { type JsonSchema, jsonSchemaOf, propertiesOf, requiredOf } from '../../http/schema.ts'
import type { Html } from '../words.ts'

/** A member of the input of an operation, as a form needs it. */
export interface Member {
  readonly isRequired: boolean
  /** Whether it may be empty. */
  readonly isNullable: boolean
  readonly isSwitch: boolean
  readonly isNumber: boolean
  readonly isDay: boolean
  readonly isInstant: boolean
  /** Whether nobody is to read it on a screen. */
  readonly isSecret: boolean
  /** Whether it is an object of any names and texts. */
  readonly isEntries: boolean
  /** Whether it is a text of any kind, which may be empty. */
  readonly mayBeEmpty: boolean
  /** What it is, in English; empty if its name says it. */
  readonly about: string
  /** The values to choose from; empty if it is not chosen. */
  readonly choices: readonly string[]
  /** The most characters, of a number its digits; absent if there is no limit. */
  readonly maxLength?: number
  /** The limits of a number. */
  readonly least?: number
  readonly most?: number
  /** The most elements of a list, and what is in one. */
  readonly maxItems?: number
  readonly items?: Member
  /** The members of an object. */
  readonly members: Members
}

/** Members by name, in the order of the schema. */
export type Members = Readonly<Record<string, Member>>

/** The members of the input of an operation: their limits, choices and which are required, as its schema has them. */
export function membersOf(operation: string): Members {
  const found = domains.flatMap(({ operations = [] }) => operations).find(({ name }) => name === operation)
  if (found === undefined) throw new Error(`There is no operation ${operation}.`)
  return membersOfInput(found)
}

/** The members of the input of an operation that is at hand. */
export function membersOfInput({ input }: Pick<Operation, 'input'>): Members {
  return membersIn(jsonSchemaOf(input))
}

/** The members of the answer of an operation. */
export function membersOfOutput({ output }: Pick<Operation, 'output'>): Members {
  return membersIn(jsonSchemaOf(output))
}

/** A member that is there. */
export function memberOf(members: Members, name: string): Member {
  const member = members[name]
  if (member === undefined) throw new Error(`The operation has no member ${name}.`)
  return member
}

function membersIn(schema: JsonSchema): Members {
  const required = requiredOf(schema)
  const entries = Object.entries(propertiesOf(schema))
  return Object.fromEntries(entries.map(([name, of]) => [name, memberIn(of, required.includes(name))]))
}

function memberIn(schema: JsonSchema, isRequired: boolean): Member {
  const {
    type,
    enum: choices = [],
    maxLength,
    minimum,
    maximum,
    maxItems,
    items,
    format,
    additionalProperties,
  } = withoutNull(schema)
  const isNullable = withoutNull(schema) !== schema
  // How to say that there is none is no matter of a form.
  const about = isNullable ? withoutNull(schema).description : schema.description
  return {
    isRequired,
    isNullable,
    isSwitch: type === 'boolean',
    isNumber: type === 'integer' || type === 'number',
    isDay: format === 'date',
    isInstant: format === 'date-time',
    isSecret: format === 'password',
    isEntries: isObject(additionalProperties) && additionalProperties.type === 'string',
    mayBeEmpty: type === 'string' && !['minLength', 'pattern', 'format', 'enum'].some((limit) => limit in schema),
    about: typeof about === 'string' ? about : '',
    choices: choices as readonly string[],
    ...numbered({ maxLength: maximum === undefined ? maxLength : String(maximum).length }),
    ...numbered({ least: minimum, most: maximum, maxItems }),
    ...(isObject(items) ? { items: memberIn(items, true) } : {}),
    members: membersIn(withoutNull(schema)),
  }
}

/** What a member has if it is not null. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema
  const [first, ...others] = Array.isArray(anyOf) ? anyOf.filter((one) => isObject(one) && one.type !== 'null') : []
  return isObject(first) && others.length === 0 ? first : schema
}

function numbered<Name extends string>(given: Readonly<Record<Name, unknown>>): Partial<Record<Name, number>> {
  const found = Object.entries(given).filter(([, value]) => typeof value === 'number')
  return Object.fromEntries(found) as Partial<Record<Name, number>>
}

/** The attributes of the input element of a text or a number. */
export function limitsOf({ maxLength, isRequired }: Pick<Member, 'maxLength' | 'isRequired'>): Html {
  return html`${maxLength !== undefined && html` maxlength="${maxLength}"`}${isRequired && html` required`}`
}
