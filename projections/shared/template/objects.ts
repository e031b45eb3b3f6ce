import { type Item, sequence } from './sequence.ts'
import { madeInSteps, type Split, type Template, type Writer } from './template.ts'

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
  if (entries.every(({ item }) => item.split === undefined)) return made
  return {
    ...made,
    *steps(input) {
      const values: Record<string, unknown> = {}
      for (const { name, item } of entries) {
        const value = yield* madeInSteps(item, input)
        if (value !== undefined) values[name] = value
      }
      return values as Output
    },
    split: splitter(named),
  }
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

/** Splits an object at its members with streamed lists. */
function splitter<Input>(items: readonly Item<Input>[]): (input: Input) => Split {
  /** Members that are written at once, or one that may be split. */
  const parts: { readonly write: Writer<Input>; readonly long?: Item<Input> }[] = []
  let short: Item<Input>[] = []
  for (const one of items) {
    if (one.item.split === undefined) {
      short.push(one)
      continue
    }
    parts.push({ write: sequence(short) }, { write: one.item.writer(one.name), long: one })
    short = []
  }
  parts.push({ write: sequence(short) })
  return (input) =>
    function* (before) {
      let text = `${before}{`
      let comma = ''
      for (const { write, long } of parts) {
        const inner = long?.item.split?.(input)
        if (long !== undefined && inner !== undefined) text = yield* inner(text + comma + long.name)
        else {
          const written = write(input)
          if (written === '') continue
          text += comma + written
        }
        comma = ','
      }
      return `${text}}`
    }
}

/** Applies a template to a part of the input. Left out if the part is undefined or null. */
export function within<Input, Part, Output>(
  get: (input: Input) => Part,
  template: Template<NonNullable<Part>, Output>,
): Template<Input, undefined extends Part ? Output | undefined : Output> {
  const { steps, split } = template
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
    ...(steps && {
      *steps(input: Input) {
        const part = get(input)
        return (part === undefined || part === null ? undefined : yield* steps(part)) as never
      },
    }),
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
    ...((one.split ?? other.split) && {
      *steps(input: Input): Generator<void, One | Other> {
        return isOne(input) ? yield* madeInSteps(one, input) : yield* madeInSteps(other, input)
      },
      split: (input: Input) => (isOne(input) ? one : other).split?.(input),
    }),
  }
}
