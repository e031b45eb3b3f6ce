import { sequence } from './sequence.ts'
import { madeInSteps, type Template } from './template.ts'

/** A list: the template is applied to each item. Left out if the items are undefined. */
export function list<Input, Item, Output>(
  items: (input: Input) => readonly Item[],
  each: Template<Item, Output>,
): Template<Input, Output[]>
export function list<Input, Item, Output>(
  items: (input: Input) => readonly Item[] | undefined,
  each: Template<Item, Output>,
): Template<Input, Output[] | undefined>
export function list<Input, Item, Output>(
  items: (input: Input) => readonly Item[] | undefined,
  each: Template<Item, Output>,
): Template<Input, Output[] | undefined> {
  const [first, next] = [each.writer(''), each.writer(',')]
  return {
    make: (input) => items(input)?.map((item) => each.make(item)),
    writer: (before) => (input) => {
      const found = items(input)
      if (found === undefined) return ''
      let out = `${before}[`
      for (let at = 0; at < found.length; at++) out += (at === 0 ? first : next)(found[at] as Item)
      return `${out}]`
    },
  }
}

/** Items of a streamed list that are made in one step. */
const itemsPerStep = 100

/**
 * Like `list`, but each item is sent as a separate part, and items may be made when they are needed. For the events of
 * a timeline.
 */
export function streamedList<Input, Item, Output>(
  items: (input: Input) => Iterable<Item>,
  each: Template<Item, Output>,
): Template<Input, Output[]>
export function streamedList<Input, Item, Output>(
  items: (input: Input) => Iterable<Item> | undefined,
  each: Template<Item, Output>,
): Template<Input, Output[] | undefined>
export function streamedList<Input, Item, Output>(
  items: (input: Input) => Iterable<Item> | undefined,
  each: Template<Item, Output>,
): Template<Input, Output[] | undefined> {
  const [first, next] = [each.writer(''), each.writer(',')]
  return {
    make: (input) => {
      const found = items(input)
      return found && Array.from(found, (item) => each.make(item))
    },
    writer: (before) => (input) => {
      const found = items(input)
      if (found === undefined) return ''
      let out = `${before}[`
      let isFirst = true
      for (const item of found) {
        out += (isFirst ? first : next)(item)
        isFirst = false
      }
      return `${out}]`
    },
    *steps(input) {
      const found = items(input)
      if (found === undefined) return undefined
      const made: Output[] = []
      for (const item of found) {
        if (made.length % itemsPerStep === itemsPerStep - 1) yield
        made.push(yield* madeInSteps(each, item))
      }
      return made
    },
    split: (input) => {
      const found = items(input)
      return found && ((before) => splitList(`${before}[`, found))
    },
  }

  function* splitList(before: string, found: Iterable<Item>): Generator<string, string> {
    let isFirst = true
    for (const item of found) {
      if (isFirst) yield before
      const parts = each.split?.(item)
      yield parts === undefined ? (isFirst ? first : next)(item) : yield* parts(isFirst ? '' : ',')
      isFirst = false
    }
    return isFirst ? `${before}]` : ']'
  }
}

/** A list of these items without the ones that are left out. */
export function some<Input, Output>(
  ...items: readonly Template<Input, Output | readonly Output[]>[]
): Template<Input, NonNullable<Output>[]> {
  const write = sequence(items.map((item) => ({ item, name: '' })))
  return {
    make: (input) =>
      items.flatMap((item) => item.make(input)).filter((made) => made !== undefined) as NonNullable<Output>[],
    writer: (before) => (input) => `${before}[${write(input)}]`,
  }
}

/** A list with one item. */
export function only<Input, Output>(item: Template<Input, Output>): Template<Input, [Output]> {
  const write = item.writer('')
  return {
    make: (input) => [item.make(input)],
    writer: (before) => (input) => `${before}[${write(input)}]`,
  }
}

/** Several items of a `some` list. */
export function several<Input, Output>(
  ...items: readonly Template<Input, Output | readonly Output[]>[]
): Template<Input, NonNullable<Output>[] | undefined> {
  const write = sequence(items.map((item) => ({ item, name: '' })))
  return {
    make: some(...items).make,
    writer: (before) => (input) => {
      const text = write(input)
      return text === '' ? '' : before + text
    },
  }
}

/** Like `some`, but left out if the list is empty. */
export function someIfAny<Input, Output>(
  ...items: readonly Template<Input, Output | readonly Output[]>[]
): Template<Input, NonNullable<Output>[] | undefined> {
  const { make } = some(...items)
  const write = several(...items).writer('')
  return {
    make: (input) => {
      const made = make(input)
      return made.length === 0 ? undefined : made
    },
    writer: (before) => (input) => {
      const text = write(input)
      return text === '' ? '' : `${before}[${text}]`
    },
  }
}

/** Items of a `some` list: the template is applied to each. */
export function each<Input, Item, Output>(
  items: (input: Input) => readonly Item[] | undefined,
  item: Template<Item, Output>,
): Template<Input, Output[]> {
  const next = item.writer(',')
  return {
    make: (input) => items(input)?.map((one) => item.make(one)) ?? [],
    writer: (before) => (input) => {
      let out = ''
      for (const one of items(input) ?? []) out += next(one)
      return out === '' ? '' : before + out.slice(1)
    },
  }
}
