import type { Place } from './place.ts'
import { plainPostalCode } from './postal-codes.ts'

/**
 * The member states of the European Union, and the number of each in ISO 3166-1, with which the numbers begin that they give to traders
 * of the import one-stop shop.
 */
const memberStates: Readonly<Record<string, string>> = {
  ...{ AT: '040', BE: '056', BG: '100', HR: '191', CY: '196', CZ: '203', DK: '208', EE: '233', FI: '246', FR: '250' },
  ...{ DE: '276', GR: '300', HU: '348', IE: '372', IT: '380', LV: '428', LT: '440', LU: '442', MT: '470', NL: '528' },
  ...{ PL: '616', PT: '620', RO: '642', SK: '703', SI: '705', ES: '724', SE: '752' },
}

/** Countries between which goods pass without a customs declaration: those with the same area. */
const areaOfCountry: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(memberStates).map((country) => [country, 'EU'])),
  ...{ MC: 'EU', IM: 'GB', LI: 'CH', PR: 'US' },
}

/** A part of a country that is of another customs area, or for whose taxes goods are declared as abroad. */
interface Part {
  readonly country: string
  readonly area: string
  /** How its postal codes begin. */
  readonly codes: readonly string[]
  readonly regions?: readonly string[]
}

/**
 * Parts of countries to which a declaration is needed from the rest of the country: they are outside of its customs area, or, as the
 * Canary Islands, Åland and the French overseas departments, outside of its value-added tax.
 */
const parts: readonly Part[] = [
  { country: 'ES', area: 'IC', codes: ['35', '38'], regions: ['CN', 'GC', 'TF'] },
  { country: 'ES', area: 'Ceuta', codes: ['51'], regions: ['CE'] },
  { country: 'ES', area: 'Melilla', codes: ['52'], regions: ['ML'] },
  { country: 'DE', area: 'Heligoland', codes: ['27498'] },
  { country: 'DE', area: 'CH', codes: ['78266'] },
  { country: 'IT', area: 'Livigno', codes: ['23041'] },
  { country: 'IT', area: 'Campione d’Italia', codes: ['22061'] },
  { country: 'IT', area: 'SM', codes: ['4789'] },
  { country: 'IT', area: 'VA', codes: ['00120'] },
  { country: 'GR', area: 'Mount Athos', codes: ['63086', '63087'] },
  { country: 'FI', area: 'AX', codes: ['22'] },
  { country: 'DK', area: 'GL', codes: ['39'] },
  { country: 'NO', area: 'SJ', codes: ['917', '8099'] },
  ...['GP', 'MQ', 'GF', 'RE', 'PM', 'YT', 'BL', 'MF'].map((area, index) => ({
    ...{ country: 'FR', area, codes: [String(971 + index)] },
  })),
  { country: 'FR', area: 'TF', codes: ['984'] },
  { country: 'FR', area: 'WF', codes: ['986'] },
  { country: 'FR', area: 'PF', codes: ['987'] },
  { country: 'FR', area: 'NC', codes: ['988'] },
  { country: 'GB', area: 'XI', codes: ['BT'], regions: ['NIR'] },
  { country: 'GB', area: 'JE', codes: ['JE'] },
  { country: 'GB', area: 'GG', codes: ['GY'] },
  { country: 'GB', area: 'forces of GB', codes: ['BF'] },
  {
    country: 'US',
    area: 'forces of US',
    codes: ['09', '340', '962', '963', '964', '965', '966'],
    regions: ['AA', 'AE', 'AP'],
  },
  { country: 'US', area: 'GU', codes: ['9691', '9692', '9693'], regions: ['GU'] },
  { country: 'US', area: 'MP', codes: ['9695'], regions: ['MP'] },
  { country: 'US', area: 'AS', codes: ['96799'], regions: ['AS'] },
  { country: 'US', area: 'VI', codes: ['008'], regions: ['VI'] },
  { country: 'US', area: 'UM', codes: [], regions: ['UM'] },
  { country: 'AU', area: 'NF', codes: ['2899'] },
  { country: 'AU', area: 'CX', codes: ['6798'] },
  { country: 'AU', area: 'CC', codes: ['6799'] },
]

/** Lanes between areas without a declaration: Northern Ireland has the customs of the Union, and sends freely to Great Britain. */
const freeLanes: readonly string[] = ['XI EU', 'EU XI', 'XI GB']

function areaOf({ country = '', region = '', postal_code = '' }: Place): string {
  const code = plainPostalCode(postal_code)
  const part = parts.find(
    (one) =>
      one.country === country &&
      (one.regions?.includes(region) === true || one.codes.some((begin) => code.startsWith(begin))),
  )
  return part?.area ?? areaOfCountry[country] ?? country
}

/** Whether goods from one place to another need a customs declaration. Without a postal code or region, a place is in the main part of its country. */
export function needsCustoms(from: Place, to: Place): boolean {
  const [one, other] = [areaOf(from), areaOf(to)]
  return one !== other && !freeLanes.includes(`${one} ${other}`)
}

/** Whether the import one-stop shop holds for goods that go there: in the member states of the Union and in Northern Ireland. */
export function hasImportShop(to: Place): boolean {
  return ['EU', 'XI'].includes(areaOf(to))
}

/** The member state that gave a number of the import one-stop shop (`IM`, its number in ISO 3166-1, and seven digits); undefined for another text. */
export function stateOfImportShop(number: string): string | undefined {
  const [, digits = ''] = /^IM(\d{3})\d{7}$/.exec(number) ?? []
  return Object.keys(memberStates).find((state) => memberStates[state] === digits)
}
