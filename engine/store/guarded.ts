/** Runs a call, or refuses it. */
export type Guard = <Result>(call: () => Promise<Result>) => Promise<Result>

/** A port whose calls all go through `guard`. */
export function guarded<Port extends Record<keyof Port, (...args: never[]) => Promise<unknown>>>(
  port: Port,
  pass: Guard,
): Port {
  const calls = Object.entries(port) as [string, (...args: never[]) => Promise<unknown>][]
  return Object.fromEntries(calls.map(([name, run]) => [name, (...args: never[]) => pass(() => run(...args))])) as Port
}
