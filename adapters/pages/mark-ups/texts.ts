import { textsOf } from '../../locales/texts.ts'

/** The fixed texts of the page of mark-ups, in a language. */
export const markUpTexts = textsOf('page.markUps', {
  signIn: 'To see what customers pay for the rates of carriers, and to change it.',
  back: 'All mark-ups',
  arriving: 'Opening the mark-ups',
  title: 'Mark-ups',
  lead: 'What customers pay for the rates of carriers. The first rule that fits a rate holds for it; a rate that none fits is not offered to them.',
  version: 'Version {version}. Amounts are in {currency}.',
  none: 'There is no rule yet, so customers are offered no rate of a carrier.',
  hint: 'An empty cell fits everything, or adds nothing. Several values have spaces between them. A row without anything is left out.',
  table: 'Rules',
  order: 'Place',
  cell: '{column}, row {row}',
  columns: {
    carrier_account_id: 'Carrier account',
    services: 'Services',
    customers: 'Customers',
    countries: 'Countries',
    postal_codes: 'Postal codes begin with',
    up_to_grams: 'Up to grams',
    is_sold: 'Sold',
    percent: 'Percent',
    amount: 'Amount',
    minimum: 'At least',
    round_to: 'Round up to',
    ending: 'Ending',
  },
  sold: { yes: 'Yes', no: 'No' },
  more: 'More rows',
  publish: 'Publish',
  published: 'Version {version} holds from now on.',
  exports: 'Export as CSV',
  imports: {
    title: 'Import CSV',
    lead: 'It replaces all rules. The first line names the columns, which are those of the export.',
    file: 'File',
    text: 'Or the lines themselves',
    button: 'Import and publish',
  },
  forbidden: { title: 'Not for this account', lead: 'Mark-ups are for the staff of the business.' },
})

/** The fixed texts of the page of mark-ups, in one language. */
export type MarkUpTexts = ReturnType<typeof markUpTexts>
