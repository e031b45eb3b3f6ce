import type { Sealer } from '../../node/deliveries.ts'

/** Seals and opens the URLs of deliveries. */
export interface Urls {
  seal(url: string): Uint8Array
  /** Throws if it was sealed with another secret or is damaged. */
  open(sealed: Uint8Array): string
}

/** The most URLs that are remembered. */
const most = 1_000

/**
 * Seals and opens each URL once for many deliveries. That some of them have the same one is not hidden in the file, which
 * has the ids of their endpoints.
 */
export function createUrls(box: Sealer): Urls {
  const seal = remembered((url) => box.seal(Buffer.from(url)))
  const open = remembered((sealed) => Buffer.from(box.open(Buffer.from(sealed, 'latin1'))).toString())
  return {
    seal,
    open: (sealed) => open(Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length).toString('latin1')),
  }
}

function remembered<Result>(make: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size === most) known.clear()
    const made = make(text)
    known.set(text, made)
    return made
  }
}
