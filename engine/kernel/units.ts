/** A unit of UN/CEFACT Recommendation 20: what it measures, and how a value becomes one of the first unit of its kind. */
interface Unit {
  readonly kind: string
  readonly factor: number
  readonly offset: number
}

type Listed = Readonly<Record<string, number | readonly [factor: number, offset: number]>>

/** THE TABLE of units that are converted, by what they measure; the first of each kind is the one to compare in. */
const kinds: Readonly<Record<string, Listed>> = {
  temperature: { CEL: 1, KEL: [1, -273.15], FAH: [5 / 9, -160 / 9], A48: [5 / 9, -273.15] },
  length: {
    ...{ MTR: 1, KMT: 1e3, DMT: 0.1, CMT: 0.01, MMT: 1e-3, '4H': 1e-6, C45: 1e-9 },
    ...{ INH: 0.0254, FOT: 0.3048, YRD: 0.9144, SMI: 1609.344, NMI: 1852 },
  },
  area: { MTK: 1, KMK: 1e6, HAR: 1e4, CMK: 1e-4, MMK: 1e-6, INK: 0.00064516, FTK: 0.09290304 },
  volume: { MTQ: 1, LTR: 1e-3, DMQ: 1e-3, MLT: 1e-6, CMQ: 1e-6, GLL: 0.003785411784, GLI: 0.00454609 },
  mass: { KGM: 1, TNE: 1e3, GRM: 1e-3, MGM: 1e-6, MC: 1e-9, LBR: 0.45359237, ONZ: 0.028349523125 },
  time: { SEC: 1, MIN: 60, HUR: 3600, DAY: 86_400, WEE: 604_800, C26: 1e-3, B98: 1e-6 },
  speed: { MTS: 1, KMH: 1 / 3.6, HM: 0.44704, KNT: 1852 / 3600 },
  acceleration: { MSK: 1, K40: 9.80665 },
  pressure: {
    ...{ PAL: 1, KPA: 1e3, MPA: 1e6, A97: 100, MBR: 100, BAR: 1e5, ATM: 101_325 },
    ...{ PS: 6894.757293168, HN: 133.322387415 },
  },
  density: { KMQ: 1, '23': 1e3, A93: 1e-3, GP: 1e-6, GQ: 1e-9 },
  ratio: { C62: 1, P1: 0.01, NX: 1e-3, '59': 1e-6, '61': 1e-9 },
  angle: { C81: 1, DD: Math.PI / 180 },
  illuminance: { LUX: 1, KLX: 1e3 },
  voltage: { VLT: 1, KVT: 1e3, '2Z': 1e-3 },
  current: { AMP: 1, '4K': 1e-3 },
  power: { WTT: 1, KWT: 1e3, MAW: 1e6 },
  energy: { JOU: 1, KJO: 1e3, '3B': 1e6, WHR: 3600, KWH: 3.6e6 },
  frequency: { HTZ: 1, KHZ: 1e3, MHZ: 1e6, A86: 1e9 },
  force: { NEW: 1, B47: 1e3 },
  doseEquivalent: { D13: 1, C28: 1e-3 },
  magneticFluxDensity: { D33: 1, C29: 1e-3 },
}

const units: ReadonlyMap<string, Unit> = new Map(
  Object.entries(kinds).flatMap(([kind, listed]) =>
    Object.entries(listed).map(([code, given]) => {
      const [factor, offset] = typeof given === 'number' ? [given, 0] : given
      return [code, { kind, factor, offset }] as const
    }),
  ),
)

/** The codes of the units that are converted, by what they measure. */
export const convertedUnits: readonly (readonly string[])[] = Object.values(kinds).map((one) => Object.keys(one))

/**
 * A value in another unit; undefined if the units do not measure the same. `isDifference` is for what has no zero, such as
 * a standard deviation of temperatures.
 */
export function inUnit(value: number, from: string, to: string, isDifference = false): number | undefined {
  if (from === to) return value
  const [one, other] = [units.get(from), units.get(to)]
  if (one === undefined || other === undefined || one.kind !== other.kind) return undefined
  return isDifference
    ? (value * one.factor) / other.factor
    : (value * one.factor + one.offset - other.offset) / other.factor
}
