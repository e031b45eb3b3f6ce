/**
 * Makes a value on first use and shares it. If making it fails, all waiting callers get the error, and the next call
 * tries again.
 */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let making: Promise<Value> | undefined
  return () => {
    making ??= make().catch((error: unknown) => {
      making = undefined
      throw error
    })
    return making
  }
}
