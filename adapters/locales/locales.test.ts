import t from 'tap'
import { englishTexts, isForRecipients, leavesOf } from '../../docs/generate/languages.ts'
import { domains, orderStatuses, type Phrases, phraseLanguages } from '../../engine/index.ts'
import { parcel, profiles } from '../../profiles/index.ts'
import { approvalTexts } from '../pages/approvals/texts.ts'
import { keyTexts } from '../pages/keys/texts.ts'
import { orderTexts } from '../pages/orders/texts.ts'
import { orderStatusIn } from '../pages/texts/order-statuses.ts'
import { type WebhookTexts, webhookTexts } from '../pages/webhooks/texts/index.ts'
import { directionOf, languages, languagesWith, nameOf, textsAt } from './catalogue.ts'
import { messageIn, placesIn } from './format.ts'
import { spokenProfile } from './profiles.ts'
import { areas, textsOf } from './texts.ts'

const english = leavesOf(englishTexts(domains.flatMap(({ operations }) => operations)), '')

const translations = languages.filter((language) => language !== 'en')

/** Every text of a language with its path. */
function everyText(language: string): readonly (readonly [path: string, text: string])[] {
  return language === 'en' ? english : leavesOf(textsAt(language, ''), '')
}

/** The messages in English. */
const inCodes = english.filter(([path]) => path.startsWith('code.'))

/** A text without its places, and without a name or word that languages share. */
function words(text: string): string {
  return text.replace(/\{.*\}|Standard Webhooks|Administrator/, '').trim()
}

/** The texts of a language in which a pattern occurs, each with its path. */
function offending(language: string, pattern: RegExp, area = ''): readonly string[] {
  return everyText(language)
    .filter(([path, text]) => path.startsWith(area) && pattern.test(text))
    .map(([path, text]) => `${path}: ${text}`)
}

t.test(
  'given a language with messages, then it has every text; any other has those of the pages for recipients',
  async (t) => {
    const paths = english.map(([path]) => path)
    for (const language of translations) {
      const own = everyText(language).map(([path]) => path)
      const wanted = languagesWith('code').includes(language) ? paths : paths.filter(isForRecipients)
      t.same(
        wanted.filter((path) => !own.includes(path)),
        [],
        `${language} lacks nothing`,
      )
      t.same(
        own.filter((path) => !wanted.includes(path)),
        [],
        `nothing in ${language} is unused`,
      )
    }
  },
)

t.test('given a text, then it has the places of the English one, and forms that its language has', async (t) => {
  const places = new Map(everyText('en').map(([path, text]) => [path, String(placesIn(text))]))
  for (const language of languages) {
    const forms: readonly string[] = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const isWrong = ([path, text]: readonly [string, string]) =>
      (places.has(path) && String(placesIn(text)) !== places.get(path)) ||
      [...text.matchAll(/\b(zero|one|two|few|many|other) \{/g)].some(([, form = '']) => !forms.includes(form)) ||
      (text.includes(', plural,') && !text.includes(' other {'))
    t.same(everyText(language).filter(isWrong), [], language)
  }
})

/** What a translator leaves as it is: names of fields, members of the protocol, standards, an instant. */
const untranslated =
  /[a-z]+[_.][a-z]+(?:_[a-z]+)*|\bdelivered =|\bx-|\blevel \d|Authorization: Bearer <|\d{4}-\d\d-\d\dT\S+\d|\b(?:JSON|UTF-8|URL|Unicode|https?)\b|->/g

t.test('given a message, then it keeps the names of fields and the words of the protocol', async (t) => {
  for (const language of translations) {
    const own = new Map(everyText(language))
    const lost = inCodes.filter(([code, text]) =>
      (text.match(untranslated) ?? []).some((word) => own.get(code)?.includes(word) === false),
    )
    t.same(lost, [], language)
  }
})

t.test(
  'given a sentence, then it is English in no other language, and no message is the same in two but the Chinese scripts',
  async (t) => {
    const said = new Map<string, Set<string>>()
    const isMessage = (path: string) => path.startsWith('code.')
    for (const language of languages)
      for (const [path, text] of everyText(language).filter(
        ([path, text]) => isMessage(path) || words(text).length > 12,
      )) {
        const spoken = `${path}: ${text}`
        said.set(spoken, (said.get(spoken) ?? new Set()).add(language.slice(0, 2)))
      }
    const related = [...said].filter(([spoken, all]) => all.size > 1 && (all.has('en') || isMessage(spoken)))
    t.same(
      related.map(([spoken]) => spoken),
      [],
    )
  },
)

/** Words that languages share with English. */
const shared = /^(SSCC|Code|Status|Details|Source|Photo|Signature|Note|Piece)$/

t.test('given a text of the tracking page, then it is not left in English', async (t) => {
  const inEnglish = new Map(english)
  for (const language of languagesWith('code').filter((one) => one !== 'en')) {
    const left = everyText(language).filter(
      ([path, text]) =>
        /^page\.(site|track|recipient|news)\./.test(path) &&
        /\p{L}/u.test(text) &&
        text === inEnglish.get(path) &&
        !shared.test(text.replace(/ ?\{.*/, '')),
    )
    t.same(left, [], language)
  }
})

t.test('given a status of orders, then no language calls it as English does', async (t) => {
  for (const language of translations)
    for (const status of Object.keys(orderStatuses))
      t.not(orderStatusIn(language, status), orderStatusIn('en', status), `${language} ${status}`)
})

t.test('given any text, then it is tidy: no blanks around it or two in a row, and no typewriter quotes', async (t) => {
  for (const language of languages) {
    t.same(offending(language, /^$| \n| {2}|[^\P{Cc}\n]/u), [], language)
    t.same(offending(language, /^\s|\s$|\s\s|\p{Cc}/u, 'code'), [], language)
    t.same(
      offending(language, /["'`]/).filter((text) => language !== 'en' || !/^(?:hint|operation)\./.test(text)),
      [],
      language,
    )
  }
})

t.test('given a message, then it ends as the English one does: with a full stop or without', async (t) => {
  const ending = /[.。]$/
  for (const language of translations) {
    const own = new Map(everyText(language))
    const different = inCodes.filter(
      ([code, text]) => own.has(code) && ending.test(own.get(code) ?? '') !== ending.test(text),
    )
    t.same(different, [], language)
  }
})

t.test(
  'given French, then a no-break space stands before a colon or semicolon in messages, and nowhere else',
  async (t) => {
    t.same(offending('fr', /(?<!Authorization|\u00a0)(?<!\d):(?!\d)|(?<!\u202f);|[\u00a0\u202f](?![:;])/, 'code'), [])
    for (const area of ['page.orders', 'operation', 'event', 'choice'])
      t.same(offending('fr', /[^\u00A0\u202F][;!?»]|[^\u00A0] ?: |«[^\u00A0]/, area), [], area)
  },
)

t.test('given German, Spanish or English, then no blank stands before a colon or semicolon', async (t) => {
  for (const language of ['en', 'de', 'es']) t.same(offending(language, /[^{]\s[:;](?! #)/, 'code'), [], language)
})

t.test(
  'given Chinese, then punctuation is full-width, a blank parts Chinese from Latin, and scripts are not mixed',
  async (t) => {
    for (const language of ['zh-Hans', 'zh-Hant']) {
      t.same(offending(language, /\p{Script=Han}[,.:;!?()]|[,.:;!?()]\p{Script=Han}/u, 'code'), [], language)
      t.same(
        offending(language, /\p{Script=Han}[\w{]|[\w}]\p{Script=Han}|\s[，。：；（）]|[，。：；（）]\s/u, 'code'),
        [],
        language,
      )
    }
    t.same(offending('zh-Hant', /[时间线码请编节键无为个没实状态协议对后项]/), [])
    t.same(offending('zh-Hans', /[時間線碼請編節鍵無為個沒實狀態協議對後項]/), [])
  },
)

t.test('given a language, then its tag is the canonical one, and its name and direction are known', async (t) => {
  t.same(Intl.getCanonicalLocales([...languages]), languages)
  t.same(['en', 'fr', 'zh-Hant', 'ar'].map(nameOf), ['English', 'Français', '繁體中文', 'العربية'])
  t.same(['en', 'sr-Latn', 'ar', 'he'].map(directionOf), ['ltr', 'ltr', 'rtl', 'rtl'])
})

t.test('given a text with places, then it is written by the rules of its language', async (t) => {
  const days = '{days, plural, =0 {today} one {# day} other {# days}}'
  const inEnglish = [0, 1, 2, 12_345].map((days_) => messageIn(days, 'en')({ days: days_ }))
  t.same(inEnglish, ['today', '1 day', '2 days', '12,345 days'])
  t.equal(messageIn('{n, number} of {all}', 'de')({ n: 12_345, all: 12_345 }), '12.345 of 12345')
  t.equal(messageIn('{who, select, a {Ann} other {somebody}} #{id}', 'en')({ who: 'a', id: 7 }), 'Ann #7')
  t.equal(messageIn('{who, select, a {Ann} other {somebody}}', 'en')({ who: 'b' }), 'somebody')
  t.equal(messageIn('{a, plural, other {# of {b, plural, one {# x} other {# y}}}}', 'en')({ a: 3, b: 1 }), '3 of 1 x')
  t.equal(messageIn('Hello {name}', 'en')({}), 'Hello {name}', 'a place that nothing fills stays')
  t.same(placesIn('{b} {a, plural, one {# {c}} other {#}} {b}'), ['a', 'b', 'c'])
  for (const wrong of ['{', '}', 'a {b', '{a, plural, one {x}', '{} b', '{a b}'])
    t.throws(() => messageIn(wrong, 'en'), SyntaxError, wrong)
})

t.test('given plurals of a language, then numbers are said in them', async (t) => {
  const orders = (language: string, ...numbers: number[]) => {
    const total = textsOf('page.orders', areas.get('page.orders') as { total: '{orders}' })(language).total
    return numbers.map((orders) => total({ orders }))
  }
  t.same(orders('de', 0, 1, 2, 1234), ['0 Aufträge', '1 Auftrag', '2 Aufträge', '1.234 Aufträge'])
  t.same(orders('fr', 0, 1, 2), ['0 commande', '1 commande', '2 commandes'])
  t.same(orders('ar', 1, 2, 5, 11, 100), ['طلب واحد', 'طلبان', '5 طلبات', '11 طلبًا', '100 طلب'])
  const { checked } = orderTexts('es').imports
  t.equal(checked({ good: 1, bad: 2 }), 'Se crearía 1 pedido y se rechazarían 2 líneas.')
})

t.test('given numbers on pages, then they are said in the plurals of the language', async (t) => {
  const days = (language: string, all: readonly number[]) =>
    all.map((days) => approvalTexts(language).left.days({ days }))
  t.same(days('en', [1, 2]), ['in 1 day', 'in 2 days'])
  t.same(days('de', [1, 2]), ['in 1 Tag', 'in 2 Tagen'])
  t.same(days('ar', [1, 2, 3, 11, 100]), [...['بعد يوم واحد', 'بعد يومين', 'بعد 3 أيام', 'بعد 11 يومًا', 'بعد 100 يوم']])
  const counts = (language: string, all: readonly number[]) =>
    all.map((days) => keyTexts(language).keys.dayCounts({ days }))
  t.same(counts('en', [1, 30]), ['1 day', '30 days'])
  t.same(counts('de', [1, 30]), ['1 Tag', '30 Tage'])
  t.same(counts('ar', [1, 2, 3, 30, 100, 365]), ['يوم واحد', 'يومان', '3 أيام', '30 يومًا', '100 يوم', '365 يومًا'])
  const [english, german, arabic] = ['en', 'de', 'ar'].map(webhookTexts) as [WebhookTexts, WebhookTexts, WebhookTexts]
  t.equal(english.replay.done({ replayed: 1, left: 2 }), '1 delivery is being sent again; 2 more are left.')
  t.equal(german.replay.done({ replayed: 1, left: 2 }), '1 Zustellung wird erneut gesendet; es bleiben noch 2.')
  t.equal(
    german.parked.done({ rebuilt: 3, left: 0 }),
    'Die Webhooks von 3 Ereignissen werden erstellt; was wieder scheitert, wird wieder zurückgestellt.',
  )
  t.same(
    [1, 2, 3, 11, 100].map((attempts) => arabic.deliveries.attempts({ attempts })),
    ['محاولة واحدة', 'محاولتان', '3 محاولات', '11 محاولة', '100 محاولة'],
  )
  for (const { replay, parked } of languagesWith('page.webhooks.log').map(webhookTexts))
    for (const done of [
      (left: number) => replay.done({ replayed: 5, left }),
      (left: number) => parked.done({ rebuilt: 5, left }),
    ]) {
      t.match(done(7), /5.*7/)
      t.match(done(0), /^\D*5\D*$/)
    }
})

t.test('given a text that a language lacks, then it is the English one, with the plurals of English', async (t) => {
  const texts = textsOf('page.none', { days: '{days, plural, one {# day} other {# days}}', list: ['One', 'Two'] })
  areas.delete('page.none')
  t.same([texts('fr').days({ days: 0 }), texts('fr').list], ['0 days', ['One', 'Two']])
})

t.test(
  'given a profile of this project, then webhooks have each phrase in their languages, and pages each word in all',
  async (t) => {
    for (const { name, codes, words = {} } of profiles.map(spokenProfile)) {
      for (const [code, { phrases }] of Object.entries(codes)) {
        const lacking = phraseLanguages.filter((language) => phrases[language] === undefined)
        t.same(lacking, [], `${name}: ${code}`)
      }
      for (const group of Object.values(words) as readonly Readonly<Record<string, object>>[])
        for (const [key, word] of Object.entries(group))
          t.same(Object.keys(word).sort(), [...languages].sort(), `${name}: ${key}`)
    }
  },
)

t.test(
  'given the webhook event of a tracking event, then its example says what happened in each language',
  async (t) => {
    const [{ example }] = domains
      .flatMap(({ webhookEventTypes = [] }) => webhookEventTypes)
      .filter(({ name }) => name === 'tracking.event') as unknown as [
      { example: { description: Record<string, string> } },
    ]
    const { phrases }: { phrases: Phrases } = spokenProfile(parcel).codes.delivered
    const said = phraseLanguages.map((language) => [language, `${phrases[language]} (Lyon hub)`])
    t.same(example.description, Object.fromEntries(said))
  },
)

t.test('given a profile that has phrases of its own, then they stand, and only the others are filled up', async (t) => {
  const codes = {
    ...parcel.codes,
    picked_up: { ...parcel.codes.picked_up, phrases: { en: 'Got it', de: 'Haben wir' } },
  }
  const { phrases } = spokenProfile({ ...parcel, codes }).codes.picked_up
  t.match(phrases, { en: 'Got it', de: 'Haben wir', fr: /./ })
  const other = spokenProfile({ ...parcel, name: 'crates', codes })
  t.same(other.codes.picked_up.phrases, { en: 'Got it', de: 'Haben wir' })
  t.equal(other.codes.picked_up.terminal, false)
})
