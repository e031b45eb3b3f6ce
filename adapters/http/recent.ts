/** What was made a moment ago and may be asked for again, by name. */
export interface Recent<Value> {
  get(name: string): Value | undefined
  /** Keeps a value of this size, in bytes, in the place of an earlier one. */
  set(name: string, value: Value, size: number): void
}

/** How much is kept, in bytes, and how long at least what nobody asks for, in milliseconds; twice as long at most. */
export interface Bounds {
  readonly bytes: number
  readonly ms: number
}

interface Kept<Value> {
  readonly value: Value
  readonly size: number
}

/** Keeps what is asked for again and again, within bounds. */
export function createRecent<Value>({ bytes, ms }: Bounds): Recent<Value> {
  // Two halves, the older of which is let go as a whole: what is asked for moves to the younger, so no order is kept.
  let young = new Map<string, Kept<Value>>()
  let old: typeof young = new Map()
  let size = 0
  let timer: NodeJS.Timeout | undefined

  function turn() {
    clearTimeout(timer)
    old = young
    young = new Map()
    size = 0
    timer = old.size === 0 ? undefined : setTimeout(turn, ms).unref()
  }

  function keep(name: string, kept: Kept<Value>) {
    old.delete(name)
    size += kept.size - (young.get(name)?.size ?? 0)
    young.set(name, kept)
    timer ??= setTimeout(turn, ms).unref()
    if (size > bytes / 2) turn()
  }

  return {
    get: (name) => {
      const kept = young.get(name) ?? old.get(name)
      if (kept !== undefined && !young.has(name)) keep(name, kept)
      return kept?.value
    },
    set: (name, value, size) => keep(name, { value, size }),
  }
}
