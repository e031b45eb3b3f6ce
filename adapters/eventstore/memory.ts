/** What was used last, by name. */
export interface Memory<Value> {
  get(name: string): Value | undefined
  set(name: string, value: Value): void
  delete(name: string): void
}

/** A memory that forgets what was not used for longest, so that it holds at most `size` values. */
export function createMemory<Value>(size: number): Memory<Value> {
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

  return { get, set, delete: (name) => void values.delete(name) }
}
