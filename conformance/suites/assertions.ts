import assert from 'node:assert/strict'

/** Registers a test: `test` of node:test or vitest itself, or `(name, run) => t.test(name, run)` for tap. */
export type Test = (name: string, run: () => Promise<void>) => unknown

/** The assertions of the rules; each throws an `AssertionError`, so that they work in any test runner. */
export interface Assertions {
  ok(value: boolean, message?: string): void
  equal(actual: unknown, expected: unknown, message?: string): void
  /** Deep equality. */
  same(actual: unknown, expected: unknown, message?: string): void
  /** Whether an object has the members of a pattern, and a list an item for each item of a pattern. */
  match(actual: unknown, pattern: unknown, message?: string): void
  /** Whether a promise rejects, with an error that matches the pattern if there is one. */
  rejects(promise: Promise<unknown>, pattern?: object, message?: string): Promise<void>
  resolves(promise: Promise<unknown>): Promise<void>
}

/** The assertions on `node:assert`. */
export const assertions: Assertions = {
  ok: (value, message) => assert.ok(value, message),
  equal: (actual, expected, message) => assert.equal(actual, expected, message),
  same: (actual, expected, message) => assert.deepEqual(actual, expected, message),
  match: (actual, pattern, message) => assert.deepEqual(partLike(actual, pattern), pattern, message),
  rejects: async (promise, pattern, message) => {
    const error: unknown = await promise.then(
      () => assert.fail(message ?? 'the promise was expected to reject'),
      (reason: unknown) => reason,
    )
    if (error instanceof assert.AssertionError) throw error
    if (pattern !== undefined) assert.deepEqual(partLike(error, pattern), pattern, message)
  },
  resolves: async (promise) => void (await promise),
}

/** The members of a value that a pattern has, too; the value itself if it is of another kind. */
function partLike(value: unknown, pattern: unknown): unknown {
  if (typeof value !== 'object' || value === null || typeof pattern !== 'object' || pattern === null) return value
  if (Array.isArray(pattern)) {
    return Array.isArray(value) ? value.map((item: unknown, index) => partLike(item, pattern[index])) : value
  }
  return Object.fromEntries(
    Object.entries(pattern).map(([name, member]) => [name, partLike(Reflect.get(value, name), member)]),
  )
}
