import { inEach, textsOf } from '../../../locales/texts.ts'
import { percentIn } from '../../texts/language.ts'

const own = textsOf('page.webhooks.urls', {
  title: 'Health of URLs',
  titleOf: 'Health of {url}',
  lead: 'How well each URL receives: of its attempts, how many were delivered and how quickly. Tests are not counted.',
  none: 'No URL is set.',
  back: 'All URLs',
  url: 'URL',
  name: 'Name',
  nameHint: 'What you call this URL in the tables. Empty for no name.',
  state: 'State',
  hour: 'Last hour',
  day: 'Last day',
  week: 'Last week',
  success: 'Delivered, of attempts',
  p50: 'Half answered within',
  p95: '95 % answered within',
  last: 'Last attempt',
  since: 'Failing since',
  on: 'On',
  off: 'Off',
  disabled: 'Switched off after days of failure',
  failing: 'Failing',
  shaky: 'Last attempt failed',
  plots: {
    attempts: 'Attempts of the last week by the hour',
    most: 'at most {most, plural, one {# attempt} other {# attempts}} an hour',
    latency: 'Within which 95 % were answered, by the hour',
    slowest: 'at most {most} ms',
  },
  deliveries: 'Last deliveries',
  noDeliveries: 'Nothing was sent to it in the last 90 days.',
  all: 'All its deliveries',
  settings: 'Its settings and secret',
  controls: 'Switch and limits',
  turn_on: 'Switch on',
  turn_off: 'Switch off',
  offHint: 'Nothing is sent while it is off. What is due waits, and is sent when it is on again.',
  onHint: 'What waits is sent, the oldest first.',
  in_flight: 'Attempts at once, at most',
  per_second: 'Attempts a second, at most',
  limitsHint: 'Empty for no limit of its own. What is sent at once adapts to how it answers, up to {most}.',
  headers: 'Headers of your own',
  headerName: 'Name',
  headerValue: 'Value',
  headerKept: 'stays as it is',
  headersHint:
    'Sent with each request, for example Authorization for a gateway. Values are stored encrypted and not shown again. An empty name removes a header.',
  queue: {
    state: 'Queue',
    of: 'Queue {name}',
    waiting: '{waiting, plural, one {# event} other {# events}} waiting',
    notRead: 'Not acknowledged',
    since: 'Oldest of them since',
    cursor: 'Last acknowledged cursor',
    none: 'none yet',
    hint: 'Nothing is sent from a queue, so it has no attempts: its receiver reads it, and gives the cursor of each answer back.',
    call: 'Read it with',
  },
  done: {
    on: 'It is on.',
    off: 'It is off. What is due waits.',
    limits: 'The limits are saved.',
    headers: 'The headers are saved.',
    name: 'The name is saved.',
  },
})

/** The texts of the pages about how well URLs receive in a language, and how it writes shares. */
export const urlTexts = inEach((language) => ({ ...own(language), percent: percentIn(language) }))

/** The texts of the pages about how well URLs receive, in one language. */
export type UrlTexts = ReturnType<typeof urlTexts>
