import { reportedSteps } from './carrier-report.ts'
import { wayBack } from './profile.ts'

/** A scan of a parcel: its code, and when it happened in epoch milliseconds. */
interface Scan {
  readonly code: string
  readonly at: number
}

/**
 * The codes of the scans of one parcel, once it is known which way it goes. That a parcel is to go back does not mean that its
 * sender has it: it is returned when a delivery follows, or when it does not move after a report that it is back.
 */
export function onTheWayBack(scans: readonly Scan[]): readonly string[] {
  const isBack = ({ code }: Scan) => code === wayBack || code === 'return_to_sender'
  const starts = scans.filter(isBack).map(({ at }) => at)
  if (starts.length === 0) return scans.map(({ code }) => code)
  const begun = starts.reduce((one, other) => Math.min(one, other))
  const moves = scans.filter(({ code }) => reportedSteps[code] === 'carried' || reportedSteps[code] === 'delivered')
  const last = moves.reduce((latest, { at }) => Math.max(latest, at), begun)
  return scans.map(({ code, at }) => {
    if (code === 'delivered' && at >= begun) return 'return_to_sender'
    return code === 'return_to_sender' && at < last ? wayBack : code
  })
}
