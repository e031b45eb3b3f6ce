import type { Held } from '../../engine/index.ts'

/** A cache of recently used values by name. */
interface LruCache<Value> {
  get(name: string): Value | undefined
  set(name: string, value: Value): void
  delete(name: string): void
  clear(): void
  held(): Held
}

/** Bytes of an entry besides its name and its value. */
const besides = 80

/** Creates a cache that holds so many bytes at most; the least recently used values are dropped. A value always has the same size. */
export function createLruCache<Value>(
  structure: string,
  most: number,
  sizeOf: (value: Value) => number,
): LruCache<Value> {
  const values = new Map<string, Value>()
  let bytes = 0

  function drop(name: string) {
    const value = values.get(name)
    if (value !== undefined) bytes -= bytesWith(name, value)
    values.delete(name)
  }

  function set(name: string, value: Value) {
    drop(name)
    values.set(name, value)
    bytes += bytesWith(name, value)
    for (const oldest of values.keys()) {
      if (bytes <= most) break
      drop(oldest)
    }
  }

  function bytesWith(name: string, value: Value): number {
    return besides + name.length + sizeOf(value)
  }

  function get(name: string): Value | undefined {
    const value = values.get(name)
    if (value === undefined) return undefined
    values.delete(name)
    values.set(name, value)
    return value
  }

  function clear() {
    values.clear()
    bytes = 0
  }

  return { get, set, delete: drop, clear, held: () => ({ structure, bytes, most }) }
}
