import t from 'tap'
import { site } from '../signed-in/site.test.fixture.ts'

const home = '/mark-ups'

t.test('given mark-ups, then an admin edits them, an employee reads them, and nobody else sees any', async (t) => {
  const { get, post, signIn, send, tokens } = await site(home)
  const rules = [{ services: ['ground'], up_to_grams: 1_000, percent: '12.75' }, { is_sold: false }]
  await send('PUT', '/api/v1/mark-ups', { token: tokens.client_admin, body: { rules } })
  const admin = await signIn('client_admin')
  t.match((await get(home, admin.cookie)).html, /name="percent" value="12\.75" aria-label="Percent, row 1"/)
  const employee = await signIn('client_employee')
  const read = await get(home, employee.cookie)
  t.match(read.html, /<bdi>12\.75<\/bdi>/)
  t.notMatch(read.html, /name="percent"|name="csv"/, 'there is nothing to write in')
  const row = { order: '1', services: 'air', percent: '5', version: '1', step: 'publish' }
  const exported = await get(`${home}/export.csv`, employee.cookie)
  t.match(exported.headers.get('content-disposition'), /mark-ups\.csv/)
  t.match(exported.html, /,ground,,,,1000,yes,12\.75,/)
  for (const role of ['client_employee', 'customer', 'driver'] as const) {
    const { cookie, form } = await signIn(role)
    for (const path of [home, `${home}/import`]) {
      const answer = await post(path, { ...row, csv: 'percent\n5\n', form }, cookie, { origin: 'http://localhost' })
      t.equal(answer.status, 403, `${role} ${path}`)
    }
    if (role === 'client_employee') continue
    for (const path of [home, `${home}/export.csv`]) {
      const { status, html } = await get(path, cookie)
      t.equal(status, 403, `${role} ${path}`)
      t.notMatch(html, /12\.75/)
    }
  }
  t.match((await send('GET', '/api/v1/mark-ups', { token: tokens.client_admin })).body, { version: 1 })
})

t.test(
  'given a table that somebody else has changed meanwhile, when it is published, then nothing is lost',
  async (t) => {
    const { post, signIn, send, tokens } = await site(home)
    const admin = await signIn('client_admin')
    await send('PUT', '/api/v1/mark-ups', { token: tokens.client_admin, body: { rules: [{ percent: '1' }] } })
    const row = { order: '1', percent: '5', version: '0', step: 'publish', form: admin.form }
    const answer = await post(home, row, admin.cookie, { origin: 'http://localhost' })
    t.equal(answer.status, 409)
    t.match(answer.html, /Somebody has changed the mark-ups meanwhile/)
    t.match(answer.html, /name="percent" value="5"/, 'what was written is still there')
    t.match((await send('GET', '/api/v1/mark-ups', { token: tokens.client_admin })).body, { rules: [{ percent: '1' }] })
    const more = await post(home, { ...row, step: 'more' }, admin.cookie, { origin: 'http://localhost' })
    t.equal(more.html.match(/name="order"/g)?.length, 7)
  },
)
