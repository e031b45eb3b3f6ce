import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of the heap after so many calls and a collection; what grows with the calls was left behind by them. */
export async function heapAfter(calls: number, run: () => unknown): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let call = 0; call < calls; call++) {
    await run()
    if (call % 1000 === 0) await setImmediate()
  }
  for (let round = 0; round < 3; round++) {
    collect()
    await setImmediate()
  }
  return process.memoryUsage().heapUsed
}
