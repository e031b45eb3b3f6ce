import { sequence } from './sequence.ts'
import type { Template } from './template.ts'

/** A list with an item for each of these. */
export function list<Given, Item, Made>(
  items: (given: Given) => readonly Item[],
  each: Template<Item, Made>,
): Template<Given, Made[]>
export function list<Given, Item, Made>(
  items: (given: Given) => readonly Item[] | undefined,
  each: Template<Item, Made>,
): Template<Given, Made[] | undefined>
export function list<Given, Item, Made>(
  items: (given: Given) => readonly Item[] | undefined,
  each: Template<Item, Made>,
): Template<Given, Made[] | undefined> {
  const [first, next] = [each.writer(''), each.writer(',')]
  return {
    make: (given) => items(given)?.map((item) => each.make(item)),
    writer: (before) => (given) => {
      const found = items(given)
      if (found === undefined) return ''
      let out = `${before}[`
      for (let at = 0; at < found.length; at++) out += (at === 0 ? first : next)(found[at] as Item)
      return `${out}]`
    },
  }
}

/** As `list`, of which each item is a part of its own: the events of a timeline. */
export function longList<Given, Item, Made>(
  items: (given: Given) => readonly Item[],
  each: Template<Item, Made>,
): Template<Given, Made[]> {
  const [first, next] = [each.writer(''), each.writer(',')]
  return {
    ...list(items, each),
    split: (given) => {
      const found = items(given)
      const item = (at: number) => (at === 0 ? first : next)(found[at] as Item)
      return { before: '[', count: found.length, item, after: ']' }
    },
  }
}

/** A list of those of its items that are not left out. */
export function some<Given, Made>(
  ...items: readonly Template<Given, Made | readonly Made[]>[]
): Template<Given, NonNullable<Made>[]> {
  const write = sequence(items.map((item) => ({ item, name: '' })))
  return {
    make: (given) =>
      items.flatMap((item) => item.make(given)).filter((made) => made !== undefined) as NonNullable<Made>[],
    writer: (before) => (given) => `${before}[${write(given)}]`,
  }
}

/** A list of this one item. */
export function only<Given, Made>(item: Template<Given, Made>): Template<Given, [Made]> {
  const write = item.writer('')
  return {
    make: (given) => [item.make(given)],
    writer: (before) => (given) => `${before}[${write(given)}]`,
  }
}

/** Items of `some` that stand together; left out where there is none. */
export function several<Given, Made>(
  ...items: readonly Template<Given, Made | readonly Made[]>[]
): Template<Given, NonNullable<Made>[] | undefined> {
  const write = sequence(items.map((item) => ({ item, name: '' })))
  return {
    make: some(...items).make,
    writer: (before) => (given) => {
      const text = write(given)
      return text === '' ? '' : before + text
    },
  }
}

/** As `some`; left out where there is no item. */
export function someOrNone<Given, Made>(
  ...items: readonly Template<Given, Made | readonly Made[]>[]
): Template<Given, NonNullable<Made>[] | undefined> {
  const { make } = some(...items)
  const write = several(...items).writer('')
  return {
    make: (given) => {
      const made = make(given)
      return made.length === 0 ? undefined : made
    },
    writer: (before) => (given) => {
      const text = write(given)
      return text === '' ? '' : `${before}[${text}]`
    },
  }
}

/** An item of `some` for each of these; left out where there is none. */
export function each<Given, Item, Made>(
  items: (given: Given) => readonly Item[] | undefined,
  item: Template<Item, Made>,
): Template<Given, Made[]> {
  const next = item.writer(',')
  return {
    make: (given) => items(given)?.map((one) => item.make(one)) ?? [],
    writer: (before) => (given) => {
      let out = ''
      for (const one of items(given) ?? []) out += next(one)
      return out === '' ? '' : before + out.slice(1)
    },
  }
}
