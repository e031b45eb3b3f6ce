import { type Item, sequence } from './sequence.ts'
import type { Split, Template } from './template.ts'

/** A template for each member, in the order of the document; only an optional member may be left out. */
export type Members<Given, Made> = {
  readonly [Name in keyof Made]-?: Template<
    Given,
    object extends Pick<Made, Name> ? Made[Name] | undefined : Exclude<Made[Name], undefined>
  >
}

/** An object with these members. */
export function object<Given, Made extends object>(members: Members<Given, Made>): Template<Given, Made> {
  const entries = Object.entries<Template<Given, unknown>>(members).map(([name, item]) => ({ name, item }))
  const named = entries.map(({ name, item }) => ({ item, name: `${JSON.stringify(name)}:` }))
  const write = sequence(named)
  const made: Template<Given, Made> = {
    make: (given) => {
      const values: Record<string, unknown> = {}
      for (const { name, item } of entries) {
        const value = item.make(given)
        if (value !== undefined) values[name] = value
      }
      return values as Made
    },
    writer: (before) => {
      const start = `${before}{`
      return (given) => `${start}${write(given)}}`
    },
  }
  const long = entries.findIndex(({ item }) => item.split !== undefined)
  return long < 0 ? made : { ...made, split: splitAt(named, long) }
}

/** As `object`; left out where there is nothing in it but what is constant, which stands first. */
export function objectIfAny<Given, Made extends object>(
  members: Members<Given, Made>,
): Template<Given, Made | undefined> {
  const named = Object.entries<Template<Given, unknown>>(members).map(([name, item]) => ({
    item,
    name: `${JSON.stringify(name)}:`,
  }))
  const bare = named.filter(({ item }) => item.fixed !== undefined)
  const start = bare.map(({ name, item }) => `${name}${item.fixed},`).join('')
  const write = sequence(named.slice(bare.length))
  const { make } = object(members)
  return {
    make: (given) => {
      const made = make(given)
      return Object.keys(made).length > bare.length ? made : undefined
    },
    writer: (before) => (given) => {
      const text = write(given)
      return text === '' ? '' : `${before}{${start}${text}}`
    },
  }
}

/** Takes an object apart around its long member. */
function splitAt<Given>(items: readonly Item<Given>[], long: number): (given: Given) => Split | undefined {
  const head = sequence(items.slice(0, long))
  const tail = sequence(items.slice(long + 1))
  const { name, item } = items[long] as Item<Given>
  return (given) => {
    const inner = item.split?.(given)
    if (inner === undefined) return undefined
    const [start, end] = [head(given), tail(given)]
    const before = `{${start}${start === '' ? '' : ','}${name}${inner.before}`
    return { ...inner, before, after: `${inner.after}${end === '' ? '' : `,${end}`}}` }
  }
}

/** What this template makes of a part of what is given; left out where there is no such part. */
export function within<Given, Part, Made>(
  get: (given: Given) => Part,
  template: Template<NonNullable<Part>, Made>,
): Template<Given, undefined extends Part ? Made | undefined : Made> {
  const { split } = template
  return {
    make: (given) => {
      const part = get(given)
      return (part === undefined || part === null ? undefined : template.make(part)) as Made
    },
    writer: (before) => {
      const write = template.writer(before)
      return (given) => {
        const part = get(given)
        return part === undefined || part === null ? '' : write(part)
      }
    },
    ...(split && {
      split: (given: Given) => {
        const part = get(given)
        return part === undefined || part === null ? undefined : split(part)
      },
    }),
  }
}

/** One of two, as what is given says. */
export function either<Given, One, Other>(
  isOne: (given: Given) => boolean,
  one: Template<Given, One>,
  other: Template<Given, Other>,
): Template<Given, One | Other> {
  return {
    make: (given) => (isOne(given) ? one : other).make(given),
    writer: (before) => {
      const [first, second] = [one.writer(before), other.writer(before)]
      return (given) => (isOne(given) ? first(given) : second(given))
    },
    ...((one.split ?? other.split) && { split: (given: Given) => (isOne(given) ? one : other).split?.(given) }),
  }
}
