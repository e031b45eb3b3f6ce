/**
 * A controller that is aborted with each of `others`, which last longer than what it ends. Once it is aborted it has left
 * nothing at them, unlike `AbortSignal.any` in Node.js 20.
 */
export function endingWith(...others: readonly AbortSignal[]): AbortController {
  const controller = new AbortController()
  const { signal } = controller
  for (const other of others) {
    if (other.aborted) controller.abort()
    else other.addEventListener('abort', () => controller.abort(), { signal })
  }
  return controller
}
