import { digits, escaped, type Unescaped } from './plain.ts'
import type { Template } from './template.ts'

/** A value that is always the same. */
export function constant<const Value>(value: Value): Template<unknown, Value> {
  const fixed = JSON.stringify(value)
  return { make: () => value, writer: (before) => () => before + fixed, fixed }
}

/** Any text. */
export function text<Given, Value extends string | null | undefined>(
  get: (given: Given) => Value,
): Template<Given, Value> {
  return {
    make: get,
    writer: (before) => {
      const start = `${before}"`
      return (given) => {
        const value = get(given)
        if (value === undefined) return ''
        if (value === null) return `${before}null`
        return escaped.test(value) ? before + JSON.stringify(value) : `${start}${value}"`
      }
    },
  }
}

/** A text that is written without a look at it: its type says that it needs no escape. */
export function plain<Given, Value extends string | null | undefined>(
  get: (given: Given) => Value & Unescaped<Value>,
): Template<Given, Value> {
  return {
    make: get,
    writer: (before) => {
      const start = `${before}"`
      return (given) => {
        const value = get(given)
        if (value === undefined) return ''
        return value === null ? `${before}null` : `${start}${value}"`
      }
    },
  }
}

/** A finite number. */
export function number<Given, Value extends number | null | undefined>(
  get: (given: Given) => Value,
): Template<Given, Value> {
  return leaf(get, digits)
}

/** True or false. */
export function flag<Given, Value extends boolean | undefined>(get: (given: Given) => Value): Template<Given, Value> {
  return leaf(get, String)
}

/** Anything that JSON knows; the way for what is rare. */
export function json<Given, Value>(get: (given: Given) => Value): Template<Given, Value> {
  return leaf(get, JSON.stringify)
}

function leaf<Given, Value>(
  get: (given: Given) => Value,
  textOf: (value: NonNullable<Value>) => string,
): Template<Given, Value> {
  return {
    make: get,
    writer: (before) => (given) => {
      const value = get(given)
      if (value === undefined) return ''
      return before + (value === null ? 'null' : textOf(value as NonNullable<Value>))
    },
  }
}

/** A value whose text is made once for many documents or events. */
export interface Prepared<out Value> {
  readonly value: Value
  readonly text: string
}

/** The value with its text. */
export function prepared<Value>(value: Value): Prepared<Value> {
  return { value, text: JSON.stringify(value) }
}

/** Prepares what a template makes; the value itself is made only where it is asked for. */
export function filled<Given, Made>(template: Template<Given, Made>): (given: Given) => Prepared<Made> {
  const write = template.writer('')
  return (given) => ({
    get value() {
      return template.make(given)
    },
    text: write(given),
  })
}

/** A value that is prepared. */
export function ready<Given, Value>(get: (given: Given) => Prepared<Value>): Template<Given, Value>
export function ready<Given, Value>(
  get: (given: Given) => Prepared<Value> | undefined,
): Template<Given, Value | undefined>
export function ready<Given, Value>(
  get: (given: Given) => Prepared<Value> | undefined,
): Template<Given, Value | undefined> {
  return {
    make: (given) => get(given)?.value,
    writer: (before) => (given) => {
      const value = get(given)
      return value === undefined ? '' : before + value.text
    },
  }
}
