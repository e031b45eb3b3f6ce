import t from 'tap'
import type { Account } from '../../../kernel/account.ts'
import { ann, operator, people, world } from '../../../testing/world.test.fixture.ts'
import { searchAddress } from '../../addresses/operations.ts'
import { deleteOrder } from '../change.ts'
import { forgetOrder } from '../forget.ts'
import { addressBook } from './book.ts'
import { wordTerm } from './terms.ts'

const search = searchAddress

const berlin = { street: 'Straße des 17. Juni 135', locality: 'Berlin', postal_code: '10623', country: 'DE' }
const paris = { street: '5 Rue de Rivoli', locality: 'Paris', postal_code: '75001', country: 'FR' }
const london = { street: '10 Downing Street', locality: 'London', postal_code: 'SW1A 2AA', country: 'GB' }

function at(address: object) {
  return { ...ann, address }
}

/** A world, and the streets that somebody finds. */
function searched() {
  const around = world()
  const streets = async (input: object, who: Account = people.admin) => {
    const answer = await around.ask(who, search, input)
    return (answer as { readonly addresses: readonly { readonly street: string }[] }).addresses.map(
      ({ street }) => street,
    )
  }
  return { ...around, streets }
}

t.test(
  'given orders, when an address is looked for, then by postal code, and by whole words in any case',
  async (t) => {
    const { create, streets, ask, refused } = searched()
    for (const address of [berlin, paris, london]) await create({ delivery: at(address) })
    t.same(await streets({ postal_code: 'sw1a2aa' }), [london.street])
    t.same(await streets({ query: 'SW1A 2AA' }), [london.street])
    t.same(await streets({ query: 'rivoli, PARIS' }), [paris.street])
    t.same(await streets({ query: 'juni berlin 10623' }), [berlin.street])
    t.same(await streets({ query: 'rivoli berlin' }), [])
    t.same(await streets({ query: 'riv' }), [], 'no parts of words: they are blinded')
    t.same(await streets({ query: 'paris', country: 'FR' }), [paris.street])
    t.same(await streets({ query: 'paris', country: 'DE' }), [])
    t.same(await streets({ query: 'paris', postal_code: '10623' }), [])
    t.same(await streets({ query: '...' }), [])
    t.same(await ask(people.admin, search, { query: 'rivoli' }), {
      ...{ result: true, total: 1 },
      addresses: [{ ...paris, last_used_at: '2026-06-10T12:00:00-04:00' }],
    })
    t.equal(await refused(people.admin, search, {}), 'query required')
    t.equal(await refused(people.driver, search, { query: 'paris' }), 'forbidden')
  },
)

t.test(
  'given postal codes in any form, when an address is looked for, then spaces, case and dashes do not matter',
  async (t) => {
    const { create, streets } = searched()
    const written = {
      ...{
        CA: 'M5V 1A1',
        NL: '1012 AB',
        GB: 'SW1A2AA',
        PL: '00-001',
        JP: '100-0001',
        SE: '11120',
        PT: '1000–001',
        DE: '10115',
      },
    }
    for (const [country, postal_code] of Object.entries(written))
      await create({ delivery: at({ street: `1 ${country} Street`, locality: 'Town', postal_code, country }) })
    const forms = {
      CA: [
        'M5V1A1',
        'm5v 1a1',
        'm5v-1a1',
        'Town M5V1A1',
        'm5v1a1, town',
        'M5V\u200b 1A1',
        'm5v\u00a01a1',
        'Ｍ５Ｖ１Ａ１',
      ],
      NL: ['1012AB', '1012-ab', '1012 ab town'],
      GB: ['SW1A 2AA', 'sw1a-2aa', 'Street SW1A 2AA'],
      PL: ['00001', '00 001', '00–001'],
      JP: ['1000001', '100 0001', '100‐0001'],
      SE: ['111 20', '111-20', '111 20 town'],
      PT: ['1000001', '1000-001', '1000 001'],
      DE: ['10115-town', '10115'],
    }
    for (const [country, queries] of Object.entries(forms))
      for (const query of queries) t.ok((await streets({ query })).includes(`1 ${country} Street`), query)
    t.same(await streets({ query: 'M5V1A2' }), [])
    t.same(await streets({ query: 'M5V1A1 Berlin' }), [])
    t.same(await streets({ query: '1A1M5V' }), [])
    for (const postal_code of ['m5v–1a1', 'M5V\u200b1A1', 'm5v‑1a1', 'M 5 V 1 A 1'])
      t.same(await streets({ postal_code }), ['1 CA Street'], postal_code)
  },
)

t.test(
  'given letters with marks, when an address is looked for, then plain ones find it, and the other way',
  async (t) => {
    const { create, streets } = searched()
    const marked = ['Żółć', 'Łódź', 'Tromsø', 'Đakovo', 'Straße', 'Æbeltoft', 'Þórshöfn', 'São João', 'İzmir']
    for (const [number, locality] of marked.entries())
      await create({ delivery: at({ street: `${number} Main Street`, locality, country: 'PL' }) })
    const plain = ['zolc', 'LODZ', 'tromso', 'dakovo', 'strasse', 'aebeltoft', 'thorshofn', 'sao joao', 'izmir']
    for (const names of [plain, marked])
      for (const [number, query] of names.entries()) t.same(await streets({ query }), [`${number} Main Street`], query)
  },
)

t.test('given an order of an earlier version, when it is looked for as it was written, then it is found', async (t) => {
  const { credentials, ...context } = searched().context(people.admin)
  const asked: unknown[] = []
  const page = async (_: unknown, { among }: { readonly among: { readonly term: unknown } }) => {
    asked.push(among.term)
    return { rows: [], total: 0 }
  }
  const models = { ...context.models, page }
  await addressBook.search({ ...context, credentials, models } as never, { text: 'Żółć', limit: 1 })
  t.same(asked, [['zolc', 'zołc'].map((word) => wordTerm(credentials, people.admin.business.id, word))])
})

t.test(
  'given an address in many orders, when it is looked for, then it comes once, and the latest first',
  async (t) => {
    const { create, streets, pass } = searched()
    await create({ delivery: at(paris) })
    pass(60_000)
    await create({ type: 'P2P', pickup: at({ ...paris, street: '9 Rue de Rivoli' }), delivery: at(london) })
    pass(60_000)
    await create({ delivery: at({ ...paris, street: '5, rue de RIVOLI' }) })
    t.same(await streets({ query: 'rivoli' }), ['5, rue de RIVOLI', '9 Rue de Rivoli'])
    t.same(await streets({ query: 'rivoli london' }), [], 'all words are of one address')
    for (let number = 100; number < 130; number++)
      await create({ delivery: at({ ...paris, street: `${number} Rue Daru` }) })
    const found = await streets({ postal_code: '75001' })
    t.equal(found.length, 20)
    t.equal(found[0], '129 Rue Daru')
  },
)

t.test(
  'given orders of others, when an address is looked for, then only in those that the caller may see',
  async (t) => {
    const { create, streets } = searched()
    await create({ delivery: at(berlin), customer_id: people.customer.id })
    await create({ delivery: at(paris) }, people.otherCustomer)
    await create({ delivery: at({ ...berlin, street: 'Unter den Linden 1' }) }, people.stranger)
    t.same(await streets({ query: 'berlin' }, people.customer), [berlin.street])
    t.same(await streets({ query: 'paris' }, people.customer), [])
    t.same(await streets({ query: 'berlin' }, people.otherCustomer), [])
    t.same(await streets({ query: 'berlin' }, people.contractor), [])
    t.same(await streets({ query: 'berlin' }), [berlin.street])
    t.same(await streets({ query: 'berlin' }, people.stranger), ['Unter den Linden 1'])
  },
)

t.test(
  'given an order that was deleted or forgotten, when its address is looked for, then it is not known',
  async (t) => {
    const { create, streets, ask, plain } = searched()
    const id = await create({ delivery: at(paris) })
    const other = await create({ delivery: at(berlin) })
    await ask(operator, forgetOrder, { order_id: id })
    await ask(people.admin, deleteOrder, { order_id: other })
    t.same(await streets({ query: 'paris' }), [])
    t.same(await streets({ query: 'berlin' }), [])
    t.notMatch(JSON.stringify(await plain.read(`order-${id}`)), /Rivoli/)
  },
)

t.test(
  'given a street with a second line, when an address is looked for, then by both, and two flats are two addresses',
  async (t) => {
    const { create, streets, ask } = searched()
    await create({ delivery: at({ ...berlin, street: 'Lindenweg 1\nHinterhaus' }) })
    await create({ delivery: at({ ...berlin, street: 'Lindenweg 1', street2: 'Vorderhaus' }) })
    t.same(await streets({ query: 'lindenweg' }), ['Lindenweg 1', 'Lindenweg 1'])
    t.match(await ask(people.admin, search, { query: 'hinterhaus' }), {
      ...{ total: 1, addresses: [{ ...berlin, street: 'Lindenweg 1', street2: 'Hinterhaus' }] },
    })
  },
)
