/** A first-in, first-out queue. */
export interface Queue<Item> {
  add(item: Item): void
  /** The first item, without removing it; `undefined` if empty. */
  peek(): Item | undefined
  /** Removes the first item; `undefined` if empty. */
  take(): Item | undefined
  size(): number
  /** Removes all items that pass `test`. */
  takeOut(test: (item: Item) => boolean): readonly Item[]
}

/** Number of removed items at the front before the rest is copied. */
const slack = 1024

/** Creates a queue; taking an item costs the same at any length. */
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
