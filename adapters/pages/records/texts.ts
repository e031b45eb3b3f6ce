import { textsOf } from '../../locales/texts.ts'

/** The fixed texts of the pages of things that have a table, in a language. What things and their fields are called comes from there. */
export const recordTexts = textsOf('page.records', {
  signIn: 'To see routes, lockers, packages and partners, and to work on them.',
  back: 'All records',
  arriving: 'Opening the records',
  title: 'Records',
  lead: 'Everything else that this account may see.',
  none: 'There is nothing here that this account may see.',
  nothing: 'Nothing fits.',
  filter: 'Filter',
  any: 'Any',
  show: 'Show',
  clear: 'Clear',
  status: 'Status',
  id: 'Id',
  facts: 'What it is',
  more: 'More',
  toList: 'Back to the list',
  toRecord: 'Back to the record',
  missing: { title: 'There is no such record', lead: 'It does not exist, or this account may not see it.' },
})

/** The fixed texts of these pages, in one language. */
export type RecordTexts = ReturnType<typeof recordTexts>
