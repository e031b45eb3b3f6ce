import { inUnit } from './units.ts'

/** A unit in which values of a kind are taken. */
interface SensorUnit {
  /** Code of UN/CEFACT recommendation 20. */
  readonly code: string
  readonly ucum: string
}

/** A kind of measurement. */
export interface SensorKind {
  readonly value: 'number' | 'boolean' | 'position'
  /** The measurement types of GS1's Core Business Vocabulary, the one that is written first. */
  readonly gs1: readonly string[]
  /** Units of UCUM and of UN/CEFACT recommendation 20 that are taken, the canonical one first; empty if the kind has none. */
  readonly units: readonly SensorUnit[]
  /** What the event is called that says that a limit was passed. */
  readonly excursion: string
}

const unit = (code: string, ucum: string): SensorUnit => ({ code, ucum })

/** THE TABLE of kinds of measurement. */
export const sensorKinds = {
  temperature: {
    value: 'number',
    gs1: ['Temperature'],
    units: [unit('CEL', 'Cel'), unit('FAH', '[degF]'), unit('KEL', 'K')],
    excursion: 'x-temperature-excursion',
  },
  humidity: {
    value: 'number',
    gs1: ['RelativeHumidity'],
    units: [unit('P1', '%'), unit('C62', '1')],
    excursion: 'x-humidity-excursion',
  },
  absolute_humidity: {
    value: 'number',
    gs1: ['AbsoluteHumidity'],
    units: [unit('A93', 'g/m3'), unit('KMQ', 'kg/m3')],
    excursion: 'x-absolute-humidity-excursion',
  },
  pressure: {
    value: 'number',
    gs1: ['Pressure'],
    units: [unit('A97', 'hPa'), unit('PAL', 'Pa'), unit('KPA', 'kPa'), unit('MBR', 'mbar'), unit('BAR', 'bar')],
    excursion: 'x-pressure-excursion',
  },
  shock: {
    value: 'number',
    gs1: ['Acceleration'],
    units: [unit('MSK', 'm/s2'), unit('K40', '[g]')],
    excursion: 'x-shock-excursion',
  },
  light: {
    value: 'number',
    gs1: ['Illuminance'],
    units: [unit('LUX', 'lx'), unit('KLX', 'klx')],
    excursion: 'x-light-excursion',
  },
  speed: {
    value: 'number',
    gs1: ['Speed'],
    units: [unit('KMH', 'km/h'), unit('MTS', 'm/s'), unit('HM', '[mi_i]/h')],
    excursion: 'x-speed-excursion',
  },
  mass: {
    value: 'number',
    gs1: ['Mass'],
    units: [unit('KGM', 'kg'), unit('GRM', 'g'), unit('TNE', 't'), unit('LBR', '[lb_av]')],
    excursion: 'x-mass-excursion',
  },
  door: { value: 'boolean', gs1: [], units: [], excursion: 'x-door-excursion' },
  location: { value: 'position', gs1: [], units: [], excursion: 'x-location-excursion' },
} as const satisfies Readonly<Record<string, SensorKind>>

/** The name of a kind of measurement. */
export type SensorType = keyof typeof sensorKinds

/** The names of all kinds of measurement. */
export const sensorTypes = Object.keys(sensorKinds) as readonly SensorType[]

/** A kind of measurement by its name. */
export function sensorKind(type: SensorType): SensorKind {
  return sensorKinds[type]
}

/** The unit in UCUM in which values of a type are kept and answered; undefined if they have none. */
export function unitOf(type: SensorType): string | undefined {
  return sensorKind(type).units[0]?.ucum
}

/** The same unit as a code of UN/CEFACT recommendation 20. */
export function unitCodeOf(type: SensorType): string | undefined {
  return sensorKind(type).units[0]?.code
}

/** What the type of a measurement is called in documents of EPCIS: by GS1, or by OTEP where GS1 has no name. */
export function gs1TypeOf(type: SensorType): string {
  return sensorKind(type).gs1[0] ?? `${ownPrefix}${type}`
}

const ownPrefix = 'urn:otep:sensor:'

/** The kind that a document of EPCIS calls so, with or without a prefix (`gs1:`, `https://gs1.org/voc/`). */
export function typeOfGs1(name: string): SensorType | undefined {
  if (name.startsWith(ownPrefix)) return sensorTypes.find((type) => gs1TypeOf(type) === name)
  const bare = name.replace(/^(?:gs1:|https?:\/\/(?:www\.|ref\.)?gs1\.org\/voc\/)?(?:MT-)?/i, '').toLowerCase()
  return sensorTypes.find((type) => sensorKind(type).gs1.some((one) => one.toLowerCase() === bare))
}

/** A value of a type in its canonical unit, to a millionth; undefined if the unit is not one of the type. */
export function converted(type: SensorType, value: number, unit: string | undefined): number | undefined {
  const { units } = sensorKind(type)
  const from = unit === undefined ? units[0] : units.find(({ code, ucum }) => code === unit || ucum === unit)
  if (from === undefined) return unit === undefined ? value : undefined
  const known = inUnit(value, from.code, (units[0] ?? from).code)
  return known === undefined ? undefined : rounded(known)
}

/** A value to a millionth, as values are kept. */
export function rounded(value: number): number {
  return Math.round(value * millionths) / millionths
}

/** What values are multiplied with to be whole numbers. */
export const millionths = 1_000_000
