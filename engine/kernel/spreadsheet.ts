import type { Code } from './messages/index.ts'

/**
 * How programs write a long number short: a digit, decimals, and an exponent (9.40551E+21, 9,40551E+21, 1E+11, 9.4e21). Without
 * a sign it needs decimals: 12E5 and 1E10 may be true numbers of parcels.
 */
const shortened = /^\s*'?(?:[1-9](?:[.,]\d+)?E\+\d{2,3}|[1-9][.,]\d+E\d{1,3})\s*$/i

/** A long whole number that a program has taken for a decimal one. */
const decimal = /^\s*'?\d{8,}\.0\s*$/

/** What spreadsheets write in the place of a value, in the languages that we have met, and a column that is too narrow. */
const error = new RegExp(
  `^\\s*#(?:N/A|NV|N/D!?|N/B|#{3,}|[¡¿]?(?:${[
    ...[
      'NULL',
      'DIV/0',
      'VALUE',
      'REF',
      'NAME',
      'NUM',
      'SPILL',
      'CALC',
      'FIELD',
      'BLOCKED',
      'CONNECT',
      'UNKNOWN',
      'ERROR',
    ],
    ...[
      'WERT',
      'BEZUG',
      'ZAHL',
      'ÜBERLAUF',
      'NUL',
      'VALEUR',
      'NOM',
      'NOMBRE',
      'NULO',
      'VALOR',
      'NULLO',
      'VALORE',
      'RIF',
    ],
    ...['NOME', 'NÚM', 'LEEG', 'WAARDE', 'VERW', 'NAAM', 'GETAL', 'ZERO', 'ARG', 'ADR', 'NAZWA', 'LICZBA'],
  ].join('|')})[!?])\\s*$`,
  'i',
)

/** What a spreadsheet has left of a number that names something; undefined if it is whole. */
export function spreadsheetProblem(text: string): Code | undefined {
  if (shortened.test(text)) return 'shortened_number'
  if (decimal.test(text)) return 'decimal_number'
  return isSpreadsheetError(text) ? 'spreadsheet_error' : undefined
}

/** Whether a cell has an error of a spreadsheet in the place of a value. */
export function isSpreadsheetError(text: string): boolean {
  return error.test(text)
}

/** A time of day as HH:MM, also of 9:00, 09:00:00 and 9:00 AM; another text stays as it is. */
export function timeOfDay(text: string): string {
  const [, hour = '', minutes, half = ''] =
    /^(\d{1,2}):([0-5]\d)(?::00)?(?:\s*([ap])\.?m\.?)?$/i.exec(text.trim()) ?? []
  const isHalf = half !== ''
  if (minutes === undefined || (isHalf && (Number(hour) < 1 || Number(hour) > 12))) return text
  const hours = isHalf ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  return `${String(hours).padStart(2, '0')}:${minutes}`
}

/** A decimal number with a comma, with a point; one with three decimals may be a whole number, and stays as it is. */
export function withDecimalPoint(text: string): string {
  return /^-?\d+,(\d{1,2}|\d{4,})$/.test(text) ? text.replace(',', '.') : text
}
