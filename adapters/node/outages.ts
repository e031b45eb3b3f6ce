/** What a store that can be lost reports. */
export interface OutageReports {
  /** It is lost, and calls are refused until it is back; it may never have been there since the start. */
  readonly away?: (error: unknown, wasThere: boolean) => void
  /** It is back, after so many milliseconds. */
  readonly back?: (milliseconds: number) => void
}

const failures = new WeakSet<Error>()

/** Notes that a call failed only because the store is lost, which the log says by itself. */
export function asOfOutage<Failure extends Error>(failure: Failure): Failure {
  failures.add(failure)
  return failure
}

/** Whether something failed only because the store is lost, also if that is the cause of the error. */
export function isOfOutage(error: unknown): boolean {
  return error instanceof Error && (failures.has(error) || isOfOutage(error.cause))
}
