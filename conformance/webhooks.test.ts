import t from 'tap'
import { notices } from '../adapters/engine.ts'
import { errorsIn, exampleErrors, judgeBy } from './webhooks/description.ts'
import { formatFlaws, nativeIn, standardFlaws, standardForm } from './webhooks/judges.ts'
import { type Live, live, until } from './webhooks/live.test.fixture.ts'
import { causePartnerEvents, type Partner, partnerChannels, partnerOf } from './webhooks/partner-script.test.fixture.ts'
import type { Capture } from './webhooks/receiver.ts'
import { flawsBy, type Recipe, recipeFor } from './webhooks/recipes.ts'
import { causeTenantEvents, type Format, formats, setAllUrls } from './webhooks/tenant-script.test.fixture.ts'

/** A notice as it came: to the field or channel, and in the format, that its path names. */
interface Told {
  readonly event: string
  readonly place: string
  readonly format: Format
  readonly capture: Capture
}

/** The recipes that a notice of each does not verify by; the second signature of the life cycle stands beside the first. */
const foreignRecipes = {
  tenant: ['lifecycle', 'provider', 'handoff'],
  lifecycle: ['provider', 'handoff'],
  provider: ['tenant', 'lifecycle', 'handoff'],
  handoff: ['tenant', 'lifecycle', 'provider'],
} as const satisfies Readonly<Record<Recipe, readonly Recipe[]>>

function toldIn({ receiver }: Live): readonly Told[] {
  return receiver.captures.flatMap((capture) => {
    const [, place = '', format] = capture.path.split('/')
    const known = formats.find((one) => one === format)
    if (known === undefined || receiver.at(capture.path).every((one) => one !== capture)) return []
    return [{ event: nativeIn(known, capture).event, place, format: known, capture }]
  })
}

/** Where a notice arrives that a receiver can be told of. */
function placeOf({ field, channel }: (typeof notices)[number]): string {
  return field ?? channel
}

function missingIn(told: readonly Told[]): readonly string[] {
  const wanted = notices.flatMap((notice) =>
    formats.map((format) => `${notice.name} at ${placeOf(notice)} in ${format}`),
  )
  const found = new Set(told.map(({ event, place, format }) => `${event} at ${place} in ${format}`))
  return wanted.filter((one) => !found.has(one))
}

/** The secret of a place: of the business, of the endpoint of a partner, or of its subscription. */
async function secretsOf(place: Live, partners: readonly Partner[]): Promise<(told: Told) => string> {
  const { ask, tokens } = place
  const reveal = async (path: string) => ask(tokens.client_admin, 'POST', `/api/v1/${path}/secret/reveal`, {})
  const business: string = (await reveal('webhook-settings')).webhook_sign_secret
  const others = new Map<string, string>()
  for (const { name, format, secret } of partners) {
    others.set(`order_handoff ${format}`, secret)
    for (const channel of partnerChannels)
      others.set(`${channel} ${format}`, (await reveal(`webhook-endpoints/${channel}/${name}`)).secret)
  }
  return ({ place: at, format }) => others.get(`${at} ${format}`) ?? business
}

t.test(
  'given URLs in every format, when everything happens that can be told, then every judge accepts it',
  async (t) => {
    const place = await live(t)
    const { tokens, receiver, app } = place
    await setAllUrls(place, tokens.client_admin)
    await causeTenantEvents(place)
    const partners: Partner[] = []
    for (const format of formats) {
      const partner = await partnerOf(place, format)
      partners.push(partner)
      await causePartnerEvents(place, partner)
    }
    await until(
      () => missingIn(toldIn(place)).length === 0,
      () => missingIn(toldIn(place)).join('\n'),
    )
    const told = toldIn(place)
    t.comment(`${told.length} notices of ${notices.length} kinds came`)
    const secretOf = await secretsOf(place, partners)
    const text = await (await app.request('/asyncapi-webhooks.json')).text()
    const description = JSON.parse(text)

    const flawsOf = (judge: (one: Told) => readonly string[]) =>
      told.flatMap((one) => judge(one).map((flaw) => `${one.event} at ${one.place} in ${one.format}: ${flaw}`))

    t.test('then the description is AsyncAPI, and headers, bodies and examples are as it says', async (t) => {
      t.same(await errorsIn(text), [])
      t.same(exampleErrors(description), [])
      const judge = judgeBy(description)
      t.same(
        flawsOf(({ event, format, capture }) => judge(event, format, capture)),
        [],
      )
    })

    t.test(
      'then CloudEvents are read by their SDK, one id names an event everywhere, and no header is broken',
      async (t) => {
        t.same(
          flawsOf(({ event, format, capture }) => formatFlaws(event, format, capture)),
          [],
        )
      },
    )

    t.test('then the libraries for Standard Webhooks verify it, with the shown secret alone', async (t) => {
      t.same(
        flawsOf((one) => standardFlaws(one.capture, standardForm(secretOf(one)))),
        [],
      )
      const verified = told.filter(({ capture, ...one }) => {
        const forged = { ...capture, body: Buffer.concat([capture.body, Buffer.from(' ')]) }
        return standardFlaws(forged, standardForm(secretOf({ ...one, capture }))).length < 2
      })
      t.same(verified, [], 'and none with another body')
    })

    t.test('then it verifies by the recipe of its own channel, and by no other', async (t) => {
      t.same(
        flawsOf(({ capture, ...one }) => flawsBy(recipeFor(one.place), capture, secretOf({ ...one, capture }))),
        [],
      )
      const others = told.flatMap((one) =>
        foreignRecipes[recipeFor(one.place)]
          .filter((recipe) => flawsBy(recipe, one.capture, secretOf(one)).length === 0)
          .map((recipe) => `${one.event} verifies as ${recipe}`),
      )
      t.same(others, [])
    })
    t.ok(receiver.captures.length > told.length, 'challenges were echoed')
  },
)
