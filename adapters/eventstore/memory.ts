/** A cache of recently used values by name. */
export interface LruCache<Value> {
  get(name: string): Value | undefined
  set(name: string, value: Value): void
  delete(name: string): void
  clear(): void
}

/** Creates a cache of at most `size` values; the least recently used one is dropped. */
export function createLruCache<Value>(size: number): LruCache<Value> {
  const values = new Map<string, Value>()

  function set(name: string, value: Value) {
    values.delete(name)
    values.set(name, value)
    if (values.size > size) values.delete(values.keys().next().value as string)
  }

  function get(name: string): Value | undefined {
    const value = values.get(name)
    if (value !== undefined) set(name, value)
    return value
  }

  return { get, set, delete: (name) => void values.delete(name), clear: () => values.clear() }
}
