import { type Item, sequence } from './sequence.ts'
import type { Split, Template } from './template.ts'

/** A template for each member, in the order of the document. Only optional members may be left out. */
export type Members<Input, Output> = {
  readonly [Name in keyof Output]-?: Template<
    Input,
    object extends Pick<Output, Name> ? Output[Name] | undefined : Exclude<Output[Name], undefined>
  >
}

/** An object with these members. */
export function object<Input, Output extends object>(members: Members<Input, Output>): Template<Input, Output> {
  const entries = Object.entries<Template<Input, unknown>>(members).map(([name, item]) => ({ name, item }))
  const named = entries.map(({ name, item }) => ({ item, name: `${JSON.stringify(name)}:` }))
  const write = sequence(named)
  const made: Template<Input, Output> = {
    make: (input) => {
      const values: Record<string, unknown> = {}
      for (const { name, item } of entries) {
        const value = item.make(input)
        if (value !== undefined) values[name] = value
      }
      return values as Output
    },
    writer: (before) => {
      const start = `${before}{`
      return (input) => `${start}${write(input)}}`
    },
  }
  const long = entries.findIndex(({ item }) => item.split !== undefined)
  return long < 0 ? made : { ...made, split: splitAt(named, long) }
}

/** Like `object`, but left out if it has only its constants, which must come first. */
export function objectIfAny<Input, Output extends object>(
  members: Members<Input, Output>,
): Template<Input, Output | undefined> {
  const named = Object.entries<Template<Input, unknown>>(members).map(([name, item]) => ({
    item,
    name: `${JSON.stringify(name)}:`,
  }))
  const bare = named.filter(({ item }) => item.fixed !== undefined)
  const start = bare.map(({ name, item }) => `${name}${item.fixed},`).join('')
  const write = sequence(named.slice(bare.length))
  const { make } = object(members)
  return {
    make: (input) => {
      const made = make(input)
      return Object.keys(made).length > bare.length ? made : undefined
    },
    writer: (before) => (input) => {
      const text = write(input)
      return text === '' ? '' : `${before}{${start}${text}}`
    },
  }
}

/** Splits an object at the member with the streamed list. */
function splitAt<Input>(items: readonly Item<Input>[], long: number): (input: Input) => Split | undefined {
  const head = sequence(items.slice(0, long))
  const tail = sequence(items.slice(long + 1))
  const { name, item } = items[long] as Item<Input>
  return (input) => {
    const inner = item.split?.(input)
    if (inner === undefined) return undefined
    const [start, end] = [head(input), tail(input)]
    const before = `{${start}${start === '' ? '' : ','}${name}${inner.before}`
    return { ...inner, before, after: `${inner.after}${end === '' ? '' : `,${end}`}}` }
  }
}

/** Applies a template to a part of the input. Left out if the part is undefined or null. */
export function within<Input, Part, Output>(
  get: (input: Input) => Part,
  template: Template<NonNullable<Part>, Output>,
): Template<Input, undefined extends Part ? Output | undefined : Output> {
  const { split } = template
  return {
    make: (input) => {
      const part = get(input)
      return (part === undefined || part === null ? undefined : template.make(part)) as Output
    },
    writer: (before) => {
      const write = template.writer(before)
      return (input) => {
        const part = get(input)
        return part === undefined || part === null ? '' : write(part)
      }
    },
    ...(split && {
      split: (input: Input) => {
        const part = get(input)
        return part === undefined || part === null ? undefined : split(part)
      },
    }),
  }
}

/** One of two templates, chosen by the input. */
export function either<Input, One, Other>(
  isOne: (input: Input) => boolean,
  one: Template<Input, One>,
  other: Template<Input, Other>,
): Template<Input, One | Other> {
  return {
    make: (input) => (isOne(input) ? one : other).make(input),
    writer: (before) => {
      const [first, second] = [one.writer(before), other.writer(before)]
      return (input) => (isOne(input) ? first(input) : second(input))
    },
    ...((one.split ?? other.split) && { split: (input: Input) => (isOne(input) ? one : other).split?.(input) }),
  }
}
