import { textsOf } from '../../locales/texts.ts'

/** The fixed texts of the page of money, in a language. What fields are called comes from the tables. */
export const moneyTexts = textsOf('page.money', {
  signIn: 'To see balances, what moved in wallets, and statements.',
  back: 'Back to money',
  arriving: 'Opening the page of money',
  title: 'Money',
  lead: 'What customers have and owe, the statements of months, and what prices are made of.',
  own: 'What you have, what moved in your wallet, and your statements.',
  owed: 'Customers owe',
  held: 'Customers have',
  first: 'Both are those of the first {count} customers.',
  balances: 'Balances',
  customer: 'Customer {id}',
  moved: 'Movements',
  movedIn: 'Movements of {name}',
  toWallet: 'To the wallet',
  still: 'Nothing has moved yet.',
  when: 'When',
  what: 'What',
  kinds: {
    top_up: 'Top-up',
    payment: 'Payment',
    refund: 'Refund',
    adjustment: 'Adjustment',
    credit_note: 'Credit note',
    fee: 'Fee',
  },
  after: 'Balance after it',
  ofOrder: 'order {id}',
  of: 'Of',
  subjects: { without_customer: 'Orders without a customer', business: 'The whole business' },
  document: 'Document',
  file: '{format} of statement {number}',
  issue: {
    title: 'Issue all of a month',
    hint: 'At most 50 at once. The last one is that of the whole business; issue again until it is there.',
    button: 'Preview',
  },
  none: { statements: 'There is no statement yet.', customers: 'There is no customer yet.' },
  all: { wallets: 'All balances', statements: 'All statements', rates: 'All rates' },
  made: 'What prices are made of',
  list: 'Price list',
  version: 'Version {version}, in {currency}',
  noList: 'There is none yet.',
  rules: '{count, plural, =0 {No rule yet} one {# rule} other {# rules}}',
  rate: '1 {from} = {rate} {to}',
  missing: { title: 'There is nothing here', lead: 'It does not exist, or this account may not see it.' },
  forbidden: {
    title: 'Not for this account',
    lead: 'This page is for the staff of the business and for its customers.',
  },
})

/** The fixed texts of the page of money, in one language. */
export type MoneyTexts = ReturnType<typeof moneyTexts>
