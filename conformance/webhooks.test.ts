import t from 'tap'
import { live } from './webhooks/live.test.fixture.ts'
import { causePartnerEvents, partnerOf } from './webhooks/partner-script.test.fixture.ts'
import { causeTenantEvents, formats, setAllUrls } from './webhooks/tenant-script.test.fixture.ts'

t.test('probe', async (t) => {
  const place = await live(t)
  await setAllUrls(place, place.tokens.client_admin)
  await causeTenantEvents(place)
  for (const format of formats) await causePartnerEvents(place, await partnerOf(place, format))
  t.comment(place.receiver.captures.length)
})
