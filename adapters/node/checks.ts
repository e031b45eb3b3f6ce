/** A check of something that a node depends on. */
export interface Check {
  readonly name: string
  /** Names of checks without which this one says nothing. */
  readonly needs?: readonly string[]
  /** Returns what was found; throws what is wrong. */
  readonly run: () => Promise<string>
}

/** The outcome of a check. */
export interface Checked {
  readonly name: string
  readonly outcome: 'ok' | 'failed' | 'not checked'
  /** What was found, or what is wrong. */
  readonly found: string
  /** What to do about it. */
  readonly remedy?: string
}

/** What a check finds wrong, and what to do about it. `isLasting`: it will not pass by itself. */
export interface Trouble extends Error {
  readonly remedy: string
  readonly isLasting: boolean
}

/** The error of a check that fails. */
export function trouble(problem: string, remedy: string, isLasting = true): Trouble {
  return Object.assign(new Error(problem), { remedy, isLasting })
}

/** Whether an error is what a check finds wrong. */
export function isTrouble(error: unknown): error is Trouble {
  return error instanceof Error && 'remedy' in error && 'isLasting' in error
}

/** Runs checks one after the other. */
export async function* runChecks(checks: readonly Check[]): AsyncGenerator<Checked> {
  const passed = new Set<string>()
  for (const { name, needs = [], run } of checks) {
    const missing = needs.find((need) => !passed.has(need))
    const checked: Checked =
      missing === undefined ? await outcomeOf(name, run) : { name, outcome: 'not checked', found: `needs ${missing}` }
    if (checked.outcome === 'ok') passed.add(name)
    yield checked
  }
}

async function outcomeOf(name: string, run: Check['run']): Promise<Checked> {
  try {
    return { name, outcome: 'ok', found: await run() }
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return { name, outcome: 'failed', found, ...(isTrouble(error) ? { remedy: error.remedy } : {}) }
  }
}
