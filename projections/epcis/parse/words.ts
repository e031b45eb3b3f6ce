import { bizSteps } from '../codes.ts'

/** The kinds of words that CBV 2.0 (section 7) and the GS1 web vocabulary define for members of an event. */
export type WordKind =
  | 'bizStep'
  | 'disposition'
  | 'bizTransactionType'
  | 'sourceType'
  | 'reason'
  | 'component'
  | 'measurement'
  | 'alert'

const words: Readonly<Record<WordKind, ReadonlySet<string>>> = {
  bizStep: new Set(bizSteps),
  disposition: new Set([
    ...['active', 'available', 'completeness_inferred', 'completeness_verified', 'conformant', 'container_closed'],
    ...['container_open', 'damaged', 'destroyed', 'dispensed', 'disposed', 'encoded', 'expired', 'in_progress'],
    ...['in_transit', 'inactive', 'mismatch_class', 'mismatch_instance', 'mismatch_quantity', 'needs_replacement'],
    ...['no_pedigree_match', 'non_conformant', 'non_sellable_other', 'partially_dispensed', 'recalled', 'reserved'],
    ...[
      'retail_sold',
      'returned',
      'sellable_accessible',
      'sellable_not_accessible',
      'stolen',
      'unavailable',
      'unknown',
    ],
  ]),
  bizTransactionType: new Set([
    ...['bol', 'cert', 'desadv', 'inv', 'pedigree', 'po', 'poc', 'prodorder', 'recadv', 'rma', 'testprd', 'testres'],
    'upevt',
  ]),
  sourceType: new Set(['owning_party', 'possessing_party', 'location']),
  reason: new Set(['did_not_occur', 'incorrect_data']),
  component: new Set([
    ...['x', 'y', 'z', 'axial_distance', 'azimuth', 'height', 'spherical_radius', 'polar_angle', 'elevation_angle'],
    ...['easting', 'northing', 'latitude', 'longitude', 'altitude'],
  ]),
  measurement: new Set([
    ...['AbsoluteHumidity', 'AbsorbedDose', 'AbsorbedDoseRate', 'Acceleration', 'Radioactivity', 'Altitude'],
    ...['AmountOfSubstance', 'AmountOfSubstancePerUnitVolume', 'Angle', 'AngularAcceleration'],
    ...['AngularMomentum', 'AngularVelocity', 'Area', 'Capacitance', 'Conductance', 'Conductivity', 'Count'],
    ...['Density', 'Dimensionless', 'DoseEquivalent', 'DoseEquivalentRate', 'DynamicViscosity'],
    ...['ElectricCharge', 'ElectricCurrent', 'ElectricCurrentDensity', 'ElectricFieldStrength', 'Energy'],
    ...['Exposure', 'Force', 'Frequency', 'Illuminance', 'Inductance', 'Irradiance', 'KinematicViscosity'],
    ...['Length', 'LinearMomentum', 'Luminance', 'LuminousFlux', 'LuminousIntensity', 'MagneticFlux'],
    ...['MagneticFluxDensity', 'MagneticVectorPotential', 'Mass', 'MassConcentration', 'MassFlowRate'],
    ...['MassPerAreaTime', 'MemoryCapacity', 'MolalityOfSolute', 'MolarEnergy', 'MolarMass', 'MolarVolume'],
    ...['Power', 'Pressure', 'RadiantFlux', 'RadiantIntensity', 'RelativeHumidity', 'Resistance'],
    ...['Resistivity', 'SolidAngle', 'SpecificVolume', 'Speed', 'SurfaceDensity', 'SurfaceTension'],
    ...['Temperature', 'Time', 'Torque', 'Voltage', 'Volume', 'VolumeFlowRate', 'VolumeFraction'],
    ...['VolumetricFlux', 'Wavenumber'],
  ]),
  alert: new Set(['ALARM_CONDITION', 'ERROR_CONDITION']),
}

/** The bare words of CBV of a kind. */
export function wordsOf(kind: WordKind): readonly string[] {
  return [...words[kind]]
}

/** A word of CBV in any spelling, written as a URN or as a web URI; any other text is unchanged. */
export function wordAs(kind: WordKind, text: string, form: 'urn' | 'web'): string {
  const word = bareWord(kind, text) ?? (isWord(kind, text) ? text : undefined)
  const [urn = '', web = ''] = spellings[kind]
  return word === undefined ? text : `${form === 'urn' ? urn : web}${word}`
}

/** Whether CBV has this bare word for a member of this kind. */
export function isWord(kind: WordKind, text: string): boolean {
  return words[kind].has(text)
}

const cbv = (urn: string, web: string): readonly string[] => [
  `urn:epcglobal:cbv:${urn}:`,
  `https://ref.gs1.org/cbv/${web}-`,
  `https://ns.gs1.org/cbv/${web}-`,
  `cbv:${web}-`,
]
const voc: readonly string[] = [
  ...['gs1:', 'https://gs1.org/voc/', 'http://gs1.org/voc/', 'https://www.gs1.org/voc/', 'https://ref.gs1.org/voc/'],
]

/** How a word of each kind is written as a URI: as a URN, a web URI or a compact one. */
const spellings: Readonly<Record<WordKind, readonly string[]>> = {
  bizStep: cbv('bizstep', 'BizStep'),
  disposition: cbv('disp', 'Disp'),
  bizTransactionType: cbv('btt', 'BTT'),
  sourceType: cbv('sdt', 'SDT'),
  reason: cbv('er', 'ER'),
  component: cbv('comp', 'Comp'),
  measurement: voc,
  alert: voc,
}

const noPrefixes: ReadonlyMap<string, string> = new Map()

/** The bare word for a URI of GS1, also for one with a prefix of the document; undefined for any other text. */
export function bareWord(kind: WordKind, text: string, prefixes = noPrefixes): string | undefined {
  const prefix = spellings[kind].find((start) => text.startsWith(start))
  if (prefix !== undefined) {
    const rest = text.slice(prefix.length)
    return isWord(kind, rest) ? rest : undefined
  }
  const colon = text.indexOf(':')
  const namespace = colon === -1 ? undefined : prefixes.get(text.slice(0, colon))
  return namespace === undefined ? undefined : bareWord(kind, namespace + text.slice(colon + 1))
}

/** The bare word for a word of CBV in any spelling; any other text is unchanged. */
export function plainWord(kind: WordKind, text: string, prefixes: ReadonlyMap<string, string>): string {
  return isWord(kind, text) ? text : (bareWord(kind, text, prefixes) ?? text)
}

/** The first part of a word of CBV as a web URI. */
export function webPrefixOf(kind: WordKind): string {
  return kind === 'measurement' || kind === 'alert' ? 'https://gs1.org/voc/' : (spellings[kind][1] ?? '')
}

/** Whether a URI is in GS1's own vocabularies, for which JSON uses bare words (CBV 2.0, section 7). */
export function isGs1Word(uri: string): boolean {
  return /^(?:urn:epcglobal:cbv|cbv:|gs1:|https?:\/\/(?:(?:ns|ref)\.gs1\.org\/cbv|(?:www\.)?gs1\.org\/voc)\/)/i.test(
    uri,
  )
}

/** Whether the JSON Schema excludes a URI, because the bare word is to be written. */
export function isBarred(kind: WordKind, uri: string): boolean {
  const form =
    kind === 'measurement' || kind === 'alert'
      ? /^https?:\/\/(?:www\.)?gs1\.org\/voc\//
      : /^(?:urn:epcglobal:cbv|https?:\/\/ns\.gs1\.org\/cbv\/)/
  return form.test(uri)
}
