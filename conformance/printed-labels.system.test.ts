import { Document } from 'mupdf'
import t from 'tap'
import { world } from '../adapters/auth/world.test.fixture.ts'
import { seenIn } from '../adapters/labels/labels.test.fixture.ts'
import { defineCarrier, v } from '../adapters/plugins/index.ts'
import { call, forgetLabel, forgetOrder } from '../engine/index.ts'

const ann = {
  ...{ name: 'Ann Lee', street: '1 Main Street', locality: 'Toronto', region: 'ON' },
  ...{ postal_code: 'M5V 1A1', country: 'CA' },
}
const { name, ...address } = ann
const shipment = { from: { ...ann, name: 'Acme' }, to: ann, parcels: [{ weight_grams: 800 }, { weight_grams: 1200 }] }
const print = '/api/v2/shipping/printLocalLabel'
const download = '/api/v1/shipping/getShippingLabel'

/** How a picture begins. */
const png = '\x89PNG\r\n\x1a\n'

/** A carrier that makes documents, or says so but cannot fetch them. */
function makingDocuments(name: string, isFetching: boolean) {
  const refused = async () => ({ refused: { code: 'unknown_number', message: 'There is none.' } }) as const
  return defineCarrier({
    ...{ name, title: name, credentials: v.strictObject({}), services: [{ code: 'one', name: 'One' }] },
    rate: async (_, { currency }) => ({ rates: [{ service: 'one', amount: '9.00', currency }] }),
    buy: async ({ key, amount, currency }) => ({
      label: {
        ...{ reference: key, tracking_numbers: ['B1'], amount, currency },
        document: { reference: `https://${name}.example/${key}`, media_type: 'image/png' },
        customs_document: { reference: `https://${name}.example/${key}/cn23`, media_type: 'image/png', kind: 'cn23' },
      },
    }),
    ...{ void: refused, manifest: refused, track: refused },
    ...(isFetching && {
      document: async ({ document }) => {
        if (document.reference === '') throw new Error('no such document')
        return { content: Buffer.from(png + document.reference, 'latin1').toString('base64') }
      },
    }),
  })
}

/** A business with accounts at these carriers. */
async function shop(...carriers: readonly ReturnType<typeof makingDocuments>[]) {
  const made = await world({ carriers })
  const ask = async (path: string, body: object = {}, token = made.tokens.client_admin) =>
    (await made.send('POST', path, { token, body })).body
  const buyFrom = async (carrier: string, more: object = {}) => {
    await ask('/api/v1/carrier-accounts', { carrier, credentials: carrier === 'sandbox' ? { account: 'acme' } : {} })
    const quoted = await ask('/api/v1/labelservice/compareAllCarriers', shipment)
    const { rate_id } = quoted.rates.find((rate: { carrier: string }) => rate.carrier === carrier)
    return ask('/api/v1/labelservice/createShippingLabel', { ...shipment, ...more, rate_id })
  }
  return { ...made, ask, buyFrom }
}

t.test('given an order, when its labels are printed, then each parcel has one with its number and place', async (t) => {
  const { ask, tokens } = await shop()
  const { tracking_number } = await ask('/api/v1/orders', {
    ...{ type: 'D', items: 2, reference: 'R-1', schedule_date: '2026-06-11', delivery_instruction: 'Ring twice' },
    delivery: { name, phone: '+1 416 555 0101', address },
  })
  const printed = await ask(print, { order_id: 1 })
  t.match(printed, { result: true, label_code: tracking_number, tracking_numbers: [tracking_number], parcels: 2 })
  t.equal(printed.media_type, 'application/pdf')
  t.notOk('next_parcel' in printed)
  const pages = await seenIn(printed.label)
  t.equal(pages.length, 2)
  for (const [index, { lines, codes }] of pages.entries()) {
    const said = [
      'Business one',
      'Ann Lee',
      '1 Main Street',
      'Toronto ON M5V 1A1',
      'CANADA',
      '+1 416 555 0101',
      'DELIVERY',
    ]
    const details = ['Reference: R-1', 'Date: 2026-06-11', 'Ring twice', `${index + 1} / 2`, tracking_number]
    for (const line of [...said, ...details]) t.ok(lines.includes(line), line)
    t.same(codes, [`]C0 ${tracking_number}`, `]Q1 http://localhost:3000/track/${tracking_number}`])
  }
  const zpl = await ask(print, { order_id: 1, format: 'zpl', first_parcel: 2 })
  t.match(Buffer.from(zpl.label, 'base64').toString(), /\^FD2 \/ 2\^FS/)
  t.match(await ask(print, { order_id: 1, first_parcel: 3 }), {
    errors: [{ path: 'first_parcel', code: 'no_such_parcel' }],
  })
  t.match(
    await ask(print, { order_id: 1 }, tokens.driver),
    { code: 'order_not_found' },
    'it is not the order of the driver',
  )
})

t.test('given an order of many parcels, when its labels are printed, then in calls of 50 at most', async (t) => {
  const { ask } = await shop()
  await ask('/api/v1/orders', { type: 'D', items: 51, delivery: { name, address } })
  const { next_parcel, label } = await ask(print, { order_id: 1 })
  t.equal(next_parcel, 51)
  t.equal(Document.openDocument(Buffer.from(label, 'base64'), 'application/pdf').countPages(), 50)
  const rest = await ask(print, { order_id: 1, first_parcel: next_parcel })
  t.notOk('next_parcel' in rest)
  t.ok((await seenIn(rest.label))[0]?.lines.includes('51 / 51'))
})

t.test('given an address that cannot be printed, when its label is printed, then the letter is named', async (t) => {
  const { ask } = await shop()
  await ask('/api/v1/orders', { type: 'D', delivery: { name: 'مريم', address } })
  const refusal = await ask(print, { order_id: 1 })
  t.match(refusal, { code: 'unprintable_text', message: /letter م of to\.name/ })
})

t.test('given a letter that no font has, when its label is printed, then a mark is, with a warning', async (t) => {
  const { ask } = await shop()
  await ask('/api/v1/orders', { type: 'D', delivery: { name: 'Mary 😀 Lee', address } })
  const { label, warnings } = await ask(print, { order_id: 1 })
  t.match(warnings, [{ path: 'to.name', code: 'letters_unprinted', message: /has 😀 of/ }])
  t.ok((await seenIn(label))[0]?.lines.includes('Mary [?] Lee'))
})

t.test('given a size, when labels are printed, then it is that of the request or else of the business', async (t) => {
  const { ask, send, tokens, buyFrom } = await shop()
  const token = tokens.client_admin
  await ask('/api/v1/orders', { type: 'D', items: 6, delivery: { name, address } })
  t.match(await ask(print, { order_id: 1 }), { size: '100x150', page: { width_mm: 100, height_mm: 150 } })
  const settings = { label_size: 'a4_four', label_dpi: 300 }
  t.match(await send('PATCH', '/api/v1/business', { token, body: settings }), { status: 200, body: settings })
  t.match((await send('GET', '/api/v1/user', { token })).body, { business: settings })
  const sheets = await ask(print, { order_id: 1, start_at: 3 })
  t.match(sheets, { size: 'a4_four', page: { width_mm: 210, height_mm: 297 } })
  t.equal((await seenIn(sheets.label)).length, 2, 'two places are left on the first sheet')
  t.match(await ask(print, { order_id: 1, size: '4x6' }), { size: '4x6', page: { width_mm: 101.6, height_mm: 152.4 } })
  const zpl = await ask(print, { order_id: 1, format: 'zpl' })
  t.equal(zpl.size, '100x150', 'label printers have no sheets')
  t.match(Buffer.from(zpl.label, 'base64').toString(), /\^PW1181/)
  await buyFrom('sandbox')
  const at = (query: string) => send('GET', `/api/v1/uniorder/label-2/label?${query}`, { token })
  t.match(await at('size=a6&dpi=203&format=zpl'), { status: 200, body: { size: 'a6' } })
  t.match(await ask(download, { order_id: 2, size: 'a6' }), { size: 'a6', page: { width_mm: 105, height_mm: 148 } })
  const refused = async (body: object) => (await ask(print, { order_id: 1, ...body })).errors
  t.match(await refused({ size: 'a4_four', format: 'zpl' }), [{ path: 'size', code: 'size_needs_pdf' }])
  t.match(await refused({ start_at: 5 }), [{ path: 'start_at', code: 'no_such_place' }])
  t.match(await refused({ size: 'a6', start_at: 2 }), [{ path: 'start_at', code: 'no_such_place' }])
  t.match(await refused({ size: 'a5' }), [{ path: 'size' }])
  t.match(await refused({ dpi: 600 }), [{ path: 'dpi' }])
})

t.test('given an erased order, when its label is printed, then there is nothing to print', async (t) => {
  const { ask, parts, send } = await shop()
  await ask('/api/v1/orders', { type: 'D', delivery: { name, address } })
  const caller = { kind: 'operator', name: 'test', scopes: ['otep:erase'] } as const
  await call(forgetOrder, { ...parts, caller, messages: {}, requestId: 'r' }, { order_id: 1 })
  t.match(await ask(print, { order_id: 1 }), { code: 'order_forgotten' })
  t.equal((await send('POST', print, { body: { order_id: 1 } })).status, 401)
})

t.test(
  'given a label of the sandbox, when it is downloaded, then it is a sample with a number for each parcel',
  async (t) => {
    const { ask, buyFrom, other } = await shop()
    const { tracking_numbers } = await buyFrom('sandbox', { reference: 'R-2' })
    const got = await ask(download, { order_id: 1 })
    t.match(got, { result: true, order_id: 1, tracking_numbers, media_type: 'application/pdf' })
    const pages = await seenIn(got.label)
    t.same(
      pages.map(({ codes }) => codes),
      tracking_numbers.map((number: string) => [`]C0 ${number}`]),
    )
    for (const line of ['SAMPLE', 'Sandbox Standard', 'Acme', 'Ann Lee', '1 / 2', 'Weight: 0.8 kg', 'Reference: R-2'])
      t.ok(pages[0]?.lines.join('\n').includes(line) || pages[0]?.lines.join(' ').includes(line), line)
    const zpl = await ask(download, { tracking_number: tracking_numbers[1], format: 'zpl' })
    t.match(zpl, { order_id: 1, media_type: 'application/zpl' })
    t.match(await ask(download, { order_id: 1 }, other.tokens.client_admin), { code: 'label_not_found' })
    t.match(await ask(download, {}), { errors: [{ code: 'label_id_or_number' }] })
  },
)

t.test(
  'given a label that is void, or whose people are erased, when it is downloaded, then that is refused',
  async (t) => {
    const { ask, buyFrom, parts } = await shop()
    await buyFrom('sandbox')
    await buyFrom('sandbox')
    await ask('/api/v1/labelservice/cancelShippingLabel', { order_id: 1 })
    t.match(await ask(download, { order_id: 1 }), { code: 'label_status_forbids' })
    const caller = { kind: 'operator', name: 'test', scopes: ['otep:erase'] } as const
    await call(forgetLabel, { ...parts, caller, messages: {}, requestId: 'r' }, { order_id: 2 })
    t.match(await ask(download, { order_id: 2 }), { code: 'label_forgotten' })
  },
)

t.test(
  'given a carrier that makes documents, when a label is downloaded, then it is the one of the carrier',
  async (t) => {
    const { ask, buyFrom } = await shop(makingDocuments('maker', true), makingDocuments('keeper', false))
    const { document } = await buyFrom('maker')
    const got = await ask(download, { order_id: 1 })
    t.equal(got.media_type, 'image/png')
    t.equal(Buffer.from(got.label, 'base64').toString('latin1'), png + document.reference)
    await buyFrom('keeper')
    t.match(await ask(download, { order_id: 2 }), { code: 'label_document_unreachable', message: /keeper\.example/ })
  },
)

t.test(
  'given a closed manifest, when its document is fetched, then it lists each parcel, and somebody can sign',
  async (t) => {
    const { ask, buyFrom, send, tokens, other } = await shop()
    const bought = await buyFrom('sandbox', { reference: 'R-ع' })
    const document = async (id: number, token = tokens.client_admin) =>
      (await send('GET', `/api/v1/labelservice/manifests/${id}/document`, { token })).body
    t.match(await document(1), { code: 'manifest_not_found' })
    const { manifests } = await ask('/api/v1/labelservice/endofday')
    const got = await document(1)
    t.match(got, { result: true, manifest_id: 1, media_type: 'application/pdf' })
    t.equal(got.manifest_reference, manifests[0].manifest_reference)
    const [page, ...more] = await seenIn(got.document)
    t.same(more, [])
    const lines = page?.lines ?? []
    const said = [`Manifest ${got.manifest_reference}`, 'From: Business one', 'Carrier: Sandbox', 'R-[?]', 'M5V 1A1 CA']
    for (const line of [...said, ...bought.tracking_numbers, '0.8 kg', '2 parcels, 2 kg', 'Received by, date'])
      t.ok(lines.includes(line), line)
    t.match(await document(1, other.tokens.client_admin), { code: 'manifest_not_found' })
    t.match(await document(1, tokens.customer), { result: false })
  },
)

t.test(
  'given a carrier with a customs document of its own, when it is asked for, then that one comes first',
  async (t) => {
    const { buyFrom, send, tokens } = await shop(makingDocuments('post', true), makingDocuments('mute', false))
    const shirts = { description: 'Shirts', quantity: 1, unit_value: '9.50', currency: 'CAD', weight_grams: 200 }
    const more = { customs: { contents_type: 'gift', items: [shirts], signer: 'Ann' } }
    const asked = async (order_id: number, query = '') => {
      const path = `/api/v1/labelservice/labels/${order_id}/customs-document${query}`
      return (await send('GET', path, { token: tokens.client_admin })).body
    }
    const { order_id } = await buyFrom('post', more)
    const own = await asked(order_id)
    t.match(own, { kind: 'cn23', is_of_carrier: true, media_type: 'image/png' })
    t.match(
      Buffer.from(own.document, 'base64').toString('latin1'),
      new RegExp(`^${png}https://post\\.example/.*/cn23$`),
    )
    t.match(await asked(order_id, '?kind=cn23'), { is_of_carrier: true })
    const made = await asked(order_id, '?kind=commercial_invoice')
    t.match(made, { kind: 'commercial_invoice', is_of_carrier: false, media_type: 'application/pdf' })
    const [page] = await seenIn(made.document)
    for (const line of ['Shirts', 'Acme', 'Ann Lee', 'Total: 9.50 CAD']) t.ok(page?.lines.includes(line), line)
    const mute = await buyFrom('mute', more)
    t.match(await asked(mute.order_id), { kind: 'cn22', is_of_carrier: false }, 'it cannot fetch its document')
    t.match(await asked(order_id, '?kind=cn24'), { code: 'invalid_input' })
  },
)
