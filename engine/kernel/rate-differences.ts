import { type Finding, pathTo } from './finding.ts'
import type { ShipmentParcel } from './parcel.ts'

/** A value of a member that decides a price. */
type Compared = string | number | undefined

/** Collects the members in which something differs from what was quoted, each as `rate_differs`. */
export function comparison() {
  const found: Finding[] = []
  const compare = (path: string, expected: Compared, received: Compared) => {
    if (expected === received) return
    const params = { expected: String(expected ?? ''), received: String(received ?? '') }
    found.push({ path, code: 'rate_differs', params })
  }
  return { found, compare }
}

/** Compares parcels with those that were quoted: their number, weights and sizes. */
export function compareParcels(
  { compare }: Pick<ReturnType<typeof comparison>, 'compare'>,
  quoted: readonly Partial<ShipmentParcel>[],
  parcels: readonly Partial<ShipmentParcel>[],
): void {
  compare('parcels', quoted.length, parcels.length)
  for (const [index, received] of parcels.entries())
    for (const member of ['weight_grams', 'length_cm', 'width_cm', 'height_cm'] as const)
      compare(pathTo(pathTo('parcels', index), member), quoted[index]?.[member], received[member])
}
