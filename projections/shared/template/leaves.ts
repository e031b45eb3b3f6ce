import { digits, escaped, type Unescaped } from './plain.ts'
import type { Template } from './template.ts'

/** A constant. */
export function constant<const Value>(value: Value): Template<unknown, Value> {
  const fixed = JSON.stringify(value)
  return { make: () => value, writer: (before) => () => before + fixed, fixed }
}

/** Any text. */
export function text<Input, Value extends string | null | undefined>(
  get: (input: Input) => Value,
): Template<Input, Value> {
  return {
    make: get,
    writer: (before) => {
      const start = `${before}"`
      return (input) => {
        const value = get(input)
        if (value === undefined) return ''
        if (value === null) return `${before}null`
        return escaped.test(value) ? before + JSON.stringify(value) : `${start}${value}"`
      }
    },
  }
}

/** A text that is written unchecked, because its type says that it needs no escape. */
export function plain<Input, Value extends string | null | undefined>(
  get: (input: Input) => Value & Unescaped<Value>,
): Template<Input, Value> {
  return {
    make: get,
    writer: (before) => {
      const start = `${before}"`
      return (input) => {
        const value = get(input)
        if (value === undefined) return ''
        return value === null ? `${before}null` : `${start}${value}"`
      }
    },
  }
}

/** A finite number. */
export function number<Input, Value extends number | null | undefined>(
  get: (input: Input) => Value,
): Template<Input, Value> {
  return leaf(get, digits)
}

/** True or false. */
export function flag<Input, Value extends boolean | undefined>(get: (input: Input) => Value): Template<Input, Value> {
  return leaf(get, String)
}

/** Any JSON value. It is slow, and meant for rare members. */
export function json<Input, Value>(get: (input: Input) => Value): Template<Input, Value> {
  return leaf(get, JSON.stringify)
}

function leaf<Input, Value>(
  get: (input: Input) => Value,
  textOf: (value: NonNullable<Value>) => string,
): Template<Input, Value> {
  return {
    make: get,
    writer: (before) => (input) => {
      const value = get(input)
      if (value === undefined) return ''
      return before + (value === null ? 'null' : textOf(value as NonNullable<Value>))
    },
  }
}

/** A value with its JSON text, which is made once for many events. */
export interface Prepared<out Value> {
  readonly value: Value
  readonly text: string
}

/** The value with its text. */
export function prepared<Value>(value: Value): Prepared<Value> {
  return { value, text: JSON.stringify(value) }
}

/** Prepares the output of a template. The value itself is made when it is read. */
export function filled<Input, Output>(template: Template<Input, Output>): (input: Input) => Prepared<Output> {
  const write = template.writer('')
  return (input) => ({
    get value() {
      return template.make(input)
    },
    text: write(input),
  })
}

/** A value that is prepared. */
export function ready<Input, Value>(get: (input: Input) => Prepared<Value>): Template<Input, Value>
export function ready<Input, Value>(
  get: (input: Input) => Prepared<Value> | undefined,
): Template<Input, Value | undefined>
export function ready<Input, Value>(
  get: (input: Input) => Prepared<Value> | undefined,
): Template<Input, Value | undefined> {
  return {
    make: (input) => get(input)?.value,
    writer: (before) => (input) => {
      const value = get(input)
      return value === undefined ? '' : before + value.text
    },
  }
}
