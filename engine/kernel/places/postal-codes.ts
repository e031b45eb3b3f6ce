import { withoutUnseen } from '../number-key.ts'

const digits = (count: number, example: string) => [`\\d{${count}}`, example] as const
const american = ['\\d{5}(\\d{4})?', '10001-1234'] as const

/**
 * What postal codes of a country look like without spaces and hyphens, and one as it is written. Quotes may have the first half
 * alone where it says the place: Canada, Ireland, the Netherlands, Portugal, the United Kingdom.
 */
const forms: Readonly<Record<string, readonly [pattern: string, example: string]>> = {
  ...{ AT: digits(4, '1010'), AU: digits(4, '2000'), BE: digits(4, '1000'), BG: digits(4, '1000') },
  BR: ['\\d{8}', '01310-100'],
  CA: ['[ABCEGHJ-NPRSTVXY]\\d[ABCEGHJ-NPRSTV-Z](\\d[ABCEGHJ-NPRSTV-Z]\\d)?', 'M5V 1A1'],
  ...{ CH: digits(4, '8001'), CN: digits(6, '100000'), CZ: digits(5, '110 00'), DE: digits(5, '10115') },
  ...{ DK: digits(4, '1050'), EE: digits(5, '10111'), ES: digits(5, '28001'), FI: digits(5, '00100') },
  FR: digits(5, '75001'),
  GB: ['(GIR0AA|[A-Z]{1,2}\\d[\\dA-Z]?(\\d[A-Z]{2})?|BFPO\\d{1,4})', 'SW1A 1AA'],
  ...{ GR: digits(5, '104 31'), HR: digits(5, '10000'), HU: digits(4, '1051'), ID: digits(5, '10110') },
  IE: ['[A-Z]\\d[\\dW]([\\dA-Z]{4})?', 'D02 X285'],
  ...{ IN: digits(6, '110001'), IT: digits(5, '00118'), JP: digits(7, '100-0001'), KR: digits(5, '03051') },
  ...{ LT: digits(5, '01100'), LU: digits(4, '1009'), MX: digits(5, '06000'), MY: digits(5, '50000') },
  NL: ['\\d{4}([A-Z]{2})?', '1012 AB'],
  ...{ NO: digits(4, '0150'), NZ: digits(4, '1010'), PH: digits(4, '1000'), PL: digits(5, '00-001') },
  PT: ['\\d{4}(\\d{3})?', '1000-001'],
  ...{ RO: digits(6, '010011'), SE: digits(5, '111 20'), SG: digits(6, '018956'), SI: digits(4, '1000') },
  ...{ SK: digits(5, '811 01'), TH: digits(5, '10100'), TR: digits(5, '06000'), ZA: digits(4, '0001') },
  ...{ AS: american, GU: american, MP: american, PR: american, US: american, VI: american },
}

/** A postal code as it is compared: in capitals, without spaces and dashes. */
export function plainPostalCode(code: string): string {
  return withoutUnseen(code)
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}\u2212\u30fc]/gu, '')
}

/** Not given out anywhere: they control the sandbox, in any country. */
const ofSandbox = /^0000\d$/

/** A postal code as its country writes it, where the form is known; undefined for a text that is none. */
export function postalCodeOf(country: string, text: string): string | undefined {
  const form = Object.hasOwn(forms, country) ? forms[country] : undefined
  if (form === undefined || text.trim() === '' || ofSandbox.test(text)) return text.trim()
  const [pattern, example] = form
  const whole = new RegExp(`^${pattern}$`)
  // Many write the country in front, as D-10115.
  const plain = [plainPostalCode(text), plainPostalCode(text).replace(/^[A-Z]{1,3}(?=\d)/, '')].find((code) =>
    whole.test(code),
  )
  const [, before = '', mark = ''] = /^([\dA-Z]+)([ -])/.exec(example) ?? []
  if (plain === undefined || mark === '' || plain.length <= before.length || plain.startsWith('BFPO')) return plain
  const tail = example.length - before.length - 1
  return `${plain.slice(0, -tail)}${mark}${plain.slice(-tail)}`
}

/** A postal code as a country writes it, for a message. */
export function postalExample(country: string): string {
  return forms[country]?.[1] ?? ''
}
