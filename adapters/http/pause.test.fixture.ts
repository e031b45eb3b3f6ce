import type { Test } from 'tap'
import { share } from './pause.ts'

/** Makes each pause of long work a turn of the event loop until the test ends, however quick the machine is. */
export function countEachPause(t: Test): void {
  const { milliseconds } = share
  share.milliseconds = -1
  t.teardown(() => {
    share.milliseconds = milliseconds
  })
}
