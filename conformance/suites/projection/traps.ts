/** Runs a function without clock, random numbers, network and environment: any use of them throws. */
export function withoutWorld<Result>(work: () => Result): Result {
  const restore = [
    replace(globalThis, 'Date', timelessDate()),
    replace(Math, 'random', trap('Math.random')),
    replace(
      process,
      'env',
      new Proxy({}, { get: trap('process.env'), has: trap('process.env'), ownKeys: trap('process.env') }),
    ),
    replace(process, 'hrtime', trap('process.hrtime')),
    replace(process, 'cwd', trap('process.cwd')),
    ...(['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'] as const).map((name) =>
      replace(globalThis, name, trap(name)),
    ),
    replace(globalThis, 'performance', denied('performance')),
    replace(globalThis, 'crypto', denied('crypto')),
  ]
  try {
    return work()
  } finally {
    for (const one of restore) one()
  }
}

/** A deep copy that cannot be changed. */
export function frozen<Value>(value: Value): Value {
  const copy = structuredClone(value)
  freeze(copy)
  return copy
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.values(value).forEach(freeze)
  Object.freeze(value)
}

function trap(name: string): () => never {
  return () => {
    throw new Error(`touches ${name}`)
  }
}

function denied(name: string): object {
  return new Proxy({}, { get: trap(name) })
}

/** Date, but for the present. */
function timelessDate(): DateConstructor {
  const now = trap('the present')
  return new Proxy(Date, {
    apply: now,
    construct: (target, args) => (args.length === 0 ? now() : Reflect.construct(target, args)),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}

function replace(owner: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  Object.defineProperty(owner, name, { configurable: true, writable: true, value })
  return () => {
    if (before === undefined) Reflect.deleteProperty(owner, name)
    else Object.defineProperty(owner, name, before)
  }
}
