/** First come, first served. */
export interface Queue<Item> {
  add(item: Item): void
  /** The first, which stays; nothing where it is empty. */
  peek(): Item | undefined
  /** The first, which leaves; nothing where it is empty. */
  take(): Item | undefined
  size(): number
  /** Those that `test` finds, which leave, wherever they stand. */
  takeOut(test: (item: Item) => boolean): readonly Item[]
}

/** So many places may be empty at the front before the rest moves up. */
const slack = 1024

/** Makes a queue; taking from it costs the same however long it is. */
export function createQueue<Item>(): Queue<Item> {
  let items: (Item | undefined)[] = []
  let first = 0

  function take(): Item | undefined {
    const item = items[first]
    if (first < items.length) items[first++] = undefined
    if (first === items.length || (first > slack && first > items.length / 2)) {
      items = items.slice(first)
      first = 0
    }
    return item
  }

  function takeOut(test: (item: Item) => boolean): readonly Item[] {
    const all = items.slice(first) as Item[]
    const out = all.filter(test)
    if (out.length > 0) {
      items = all.filter((item) => !test(item))
      first = 0
    }
    return out
  }

  return {
    add: (item) => void items.push(item),
    peek: () => items[first],
    take,
    size: () => items.length - first,
    takeOut,
  }
}
