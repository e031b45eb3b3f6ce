import { inEach } from '../../locales/catalogue.ts'
import { textsOf } from '../../locales/texts.ts'
import { bytesIn, numbersIn, percentIn } from '../texts/language.ts'

const own = textsOf('page.today', {
  signIn: 'To see how the day goes: orders, providers and webhooks.',
  back: 'Today',
  arriving: 'Today',
  title: 'Today',
  asOf: 'As of',
  refresh: 'Refresh',
  mayNot: { title: 'This page is not for your account', lead: 'It is for the staff and the customers of a business.' },
  figures: 'Figures',
  /** What is between the parts of a list. */
  comma: ', ',
  needs: {
    title: 'Needs somebody',
    what: 'What',
    orders: 'Number',
    meaning: 'Meaning',
    late: ['Late', 'Not ended, and the day or the time window is over.'],
    failed: ['Failed', 'The last attempt failed, and nobody has decided yet.'],
    undeliverable: ['Undeliverable', 'Of the failed ones, those that were refused.'],
    unassigned: ['Unassigned', 'For today or earlier, and no driver, route, contractor or carrier has it.'],
    reported: ['Reported by a carrier', 'A carrier scans the parcel, and nobody has given it the order.'],
    contradicting: [
      'Contradicting carriers',
      'Carriers report what cannot have happened to one parcel: two parcels may have the number.',
    ],
    approvals: ['Approvals', 'Writes that agents proposed and that wait for a person.'],
  },
  orders: {
    title: 'Orders',
    status: 'Status',
    open: 'Open, any day',
    today: 'Of today',
    none: 'There is no open order, and none for today.',
    total: 'All',
  },
  onTime: {
    title: 'On time',
    today: 'Today',
    days: 'Last {days, plural, one {# day} other {# days}}',
    of: '{onTime} of {delivered} delivered',
    none: 'Nothing delivered',
    plot: 'Delivered by day',
    scale: 'on time below, late above; the highest bar is {most}',
    day: 'Day',
    delivered: 'Delivered',
    onTime: 'On time',
    rate: 'Rate',
  },
  ingest: {
    title: 'What providers push',
    summary: '{received} events in 24 hours, {refused} refused ({rate}).',
    nothing: 'No events in 24 hours.',
    since: 'Counted since',
    sinceHint: 'The server counts in memory: what came before it started is not in these figures.',
    plot: 'Events by hour',
    scale: 'taken below, refused above; the highest bar is {most}',
    hour: 'Hour',
    received: 'Received',
    refused: 'Refused',
    none: 'No provider reports for this business. otep provider add makes a key for one.',
    provider: 'Provider',
    heard: 'Last heard of',
    never: 'never',
    day: '24 hours',
    lastHour: 'This and last hour',
    repeated: 'Known already',
    codes: 'Why',
    shared: 'for all businesses',
    hidden: 'What it pushes for others, too, only an operator of the server sees.',
  },
  webhooks: {
    title: 'Webhooks',
    none: 'No URL receives webhooks.',
    urls: '{urls, plural, one {# URL} other {# URLs}}',
    failing: '{urls, number} failing',
    disabled: '{urls, number} disabled',
    off: '{urls, number} off',
    well: 'All receive',
    waiting: 'Waiting',
    more: 'more than',
    oldest: 'oldest',
    rate: 'Delivered in the last hour',
    attempts: 'of {attempts} attempts',
    noAttempts: 'no attempts',
    givenUp: 'Given up in 24 hours',
    url: 'URL',
    trouble: 'Trouble',
    since: 'Failing since',
    troubles: {
      disabled: 'Disabled: it failed for days',
      failing: 'Failing',
      off: 'Switched off',
      waiting: 'Tried again',
    },
  },
  server: {
    title: 'Server',
    store: 'Store',
    size: 'Files of this node',
    units: ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'],
    damaged: 'Damaged events',
    node: 'Node',
    state: 'State',
    states: { live: 'Live', lost: 'Lost', unknown: 'Unknown: its clock is ahead' },
    version: 'Version',
    heard: 'Last sign',
    leases: 'Work for all nodes',
    models: 'Read models',
    caughtUp: 'All {models, number} caught up',
    behind: '{name}: {seconds, plural, one {# second} other {# seconds}} behind',
    none: 'No node has told anything yet.',
  },
})

/** The fixed texts of the page of today in a language, and how it writes numbers. */
export const todayTexts = inEach((language) => {
  const { server, ...texts } = own(language)
  const bytes = bytesIn(language, server.units)
  return { ...texts, server: { ...server, bytes }, number: numbersIn(language), percent: percentIn(language) }
})

/** The fixed texts of the page of today, in one language. */
export type TodayTexts = ReturnType<typeof todayTexts>
