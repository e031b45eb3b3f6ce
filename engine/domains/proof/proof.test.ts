import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { profiles } from '../../../profiles/index.ts'
import { fold } from '../../kernel/decider.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import { deriveId } from '../../kernel/id.ts'
import { eventNamesOf } from '../../kernel/profile.ts'
import { proofContextOf, trackingEventIdOf } from '../../kernel/proof-file.ts'
import { platformProvider } from '../../kernel/timeline.ts'
import type { WebhookEventFacts } from '../../kernel/webhook-event.ts'
import { outside } from '../../testing/context.ts'
import { runs } from '../../testing/runs.test.fixture.ts'
import { refusalOf, specificationOf } from '../../testing/spec.ts'
import { operator, people, world } from '../../testing/world.test.fixture.ts'
import { assignDriver } from '../orders/dispatch.ts'
import { stepOperations } from '../orders/drive.ts'
import { type OrderCreated, type OrderEvent, orderEventShapes } from '../orders/events.ts'
import { proofFactsIn, provingTypes } from '../orders/for-proof.ts'
import { forgetOrder } from '../orders/forget.ts'
import { timelineEventId } from '../orders/timeline.ts'
import type { ProofFact } from './facts.ts'
import { imageOf, maxProofFiles, noProofContext, type ProofCommand, type ProofState, proofsOf } from './files.ts'
import {
  addProofFile,
  listProofFiles,
  proofOperations,
  removeProofFile,
  replaceProofFile,
  restoreProofVersion,
  uploadProofFile,
} from './operations.ts'
import { proofData, proofWebhookEventSource, proofWebhookEventTypes } from './webhook-events.ts'

const { complete: completeOrder, fail: failOrder, pick_up: pickUpOrder } = stepOperations

const proofs = proofsOf(profiles)
const { given } = specificationOf<ProofState, ProofCommand, ProofFact>(t, proofs)

const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex').toString('base64')
const at = '2026-06-10T16:00:00.000Z'
const told = { at, by: 1 }
const images = ['https://files.example/1.jpg', 'https://files.example/2.jpg', 'https://files.example/3.jpg'] as const
const [first, second, third] = images

const creation: OrderCreated['data'] = {
  ...{ ...told, order_id: 1, business_id: 1, type: 'D', to: 'NEW_ORDER', tracking_number: 'TN1', items: 1 },
  source: 'single',
}
const opened: OrderCreated = { type: 'OrderCreated', data: creation }
const created: ProofFact = opened
const added: ProofFact = {
  type: 'ProofFileAdded',
  data: { ...told, file_id: 7, kind: 'photo', personal: { url: first } },
}
const replaced = (version: number, url: string): ProofFact => ({
  type: 'ProofFileReplaced',
  data: { ...told, file_id: 7, version, personal: { url } },
})
const restored = (version: number): ProofFact => ({ type: 'ProofFileRestored', data: { ...told, file_id: 7, version } })
const removed: ProofFact = { type: 'ProofFileRemoved', data: { ...told, file_id: 7 } }
const forgotten: ProofFact = { type: 'OrderPersonalDataErased', data: told }

const add: ProofCommand = { type: 'AddFile', ...told, file_id: 7, kind: 'photo', url: first }
const replace = (url: string): ProofCommand => ({ type: 'ReplaceFile', ...told, file_id: 7, url })
const restore = (version: number): ProofCommand => ({ type: 'RestoreFile', ...told, file_id: 7, version })
const remove: ProofCommand = { type: 'RemoveFile', ...told, file_id: 7 }

t.test('given an order, when a file is added, then it has it; not if the order is deleted or erased', async () => {
  given(created).when(add).then(added)
  given().when(add).thenRefused('order_not_found')
  given(created, { type: 'OrderDeleted', data: told }).when(add).thenRefused('order_not_found')
  given(created, forgotten).when(add).thenRefused('order_forgotten')
  const many = Array.from(
    { length: maxProofFiles },
    (_, index): ProofFact => ({
      type: 'ProofFileAdded',
      data: { ...told, file_id: index + 1, kind: 'photo', personal: { url: first } },
    }),
  )
  given(created, ...many)
    .when(add)
    .thenRefused('too_many_proof_files')
})

t.test('given a file, when its image is replaced, then the previous one is archived and can be restored', async (t) => {
  given(created, added).when(replace(second)).then(replaced(2, second))
  given(created, added).when(replace(first)).thenNothing()
  given(created).when(replace(second)).thenRefused('proof_file_not_found')
  const twice = [created, added, replaced(2, second)]
  given(...twice)
    .when(restore(1))
    .then(restored(1))
  given(...twice)
    .when(restore(2))
    .thenNothing()
  for (const version of [0, 3])
    given(...twice)
      .when(restore(version))
      .thenRefused('proof_version_not_found')
  given(created).when(restore(1)).thenRefused('proof_file_not_found')
  given(...twice, restored(1))
    .when(replace(third))
    .then(replaced(3, third))
  const file = fold(proofs, [...twice, restored(1)])?.files[0]
  t.same(file?.versions, [first, second])
  t.equal(file && imageOf(file), first)
  const versions = Array.from({ length: maxProofFiles - 1 }, (_, index) =>
    replaced(index + 2, `https://x.example/${index}`),
  )
  given(created, added, ...versions)
    .when(replace(third))
    .thenRefused('too_many_proof_files')
})

t.test('given a file, when it is removed or the order is erased, then nothing of it remains', async (t) => {
  given(created, added).when(remove).then(removed)
  given(created, added, removed).when(remove).thenRefused('proof_file_not_found')
  t.same(fold(proofs, [created, added, removed])?.files, [])
  t.same(fold(proofs, [created, added, forgotten])?.files, [])
})

t.test('given any events and commands, when they are processed, then only refusals are thrown', async (t) => {
  const id = fc.constantFrom(7, 8)
  const commands = fc.oneof(
    id.map((file_id): ProofCommand => ({ type: 'AddFile', ...told, file_id, kind: 'signature', url: first })),
    fc.tuple(id, fc.constantFrom(...images)).map(
      ([file_id, url]): ProofCommand => ({
        ...{ type: 'ReplaceFile', ...told, file_id, url },
      }),
    ),
    fc.tuple(id, fc.integer({ min: 0, max: 4 })).map(
      ([file_id, version]): ProofCommand => ({
        ...{ type: 'RestoreFile', ...told, file_id, version },
      }),
    ),
    id.map((file_id): ProofCommand => ({ type: 'RemoveFile', ...told, file_id })),
  )
  const data = fc.record({
    ...{ at: fc.constant(at), by: fc.constant(1), order_id: fc.constant(1), file_id: id },
    ...{
      tracking_number: fc.constant('TN1'),
      type: fc.constantFrom('D', 'P'),
      version: fc.integer({ min: 1, max: 3 }),
    },
    ...{ stage: fc.constantFrom('pickup', 'delivery'), reason: fc.constantFrom('refused', 'reschedule') },
    ...{ from: fc.constant({}), to: fc.constant({}) },
    personal: fc.option(fc.record({ url: fc.constant(first), photo_urls: fc.subarray([...images]) }), {
      nil: undefined,
    }),
  })
  const facts = fc.record({
    id: fc.constant('id'),
    revision: fc.constant(1),
    type: fc.constantFrom(...Object.keys(orderEventShapes), 'SomethingLater'),
    data,
  }) as unknown as fc.Arbitrary<RecordedEvent<OrderEvent>>
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 30 }), fc.array(commands, { maxLength: 20 }), (history, list) => {
      let state = fold(proofs, proofFactsIn([{ ...opened, id: 'id', revision: 0 }, ...history]))
      for (const command of list)
        refusalOf(() => {
          state = fold(proofs, proofs.decide(command, state), state)
        })
      for (const file of state?.files ?? []) if (imageOf(file) === '') throw new Error('a file has no image')
    }),
    { numRuns: runs(t, 100) },
  )
  t.pass()
})

const source = proofWebhookEventSource(provingTypes)
const [eventType] = proofWebhookEventTypes
if (eventType === undefined) throw new Error('nothing is told')

/** What all facts of orders tell of their files, each held against the schema for both readers. */
async function toldBy({ store, models }: ReturnType<typeof world>) {
  const facts: WebhookEventFacts = { store, models, baseUrl: 'https://x.example', ...outside, profiles }
  const all = []
  for await (const event of store.readAll(undefined, { category: 'order' })) {
    const webhookEvents = source.types.includes(event.type) ? await source.webhookEventsOf(facts, event) : []
    for (const { data, ...webhookEvent } of webhookEvents) {
      const [business, customer] = [data('business'), data('customer')]
      t.same(customer, business, 'a customer is told the same')
      all.push({ ...webhookEvent, type: event.type, event: event.id, data: v.parse(proofData, business) })
    }
  }
  return all
}

t.test(
  'given drivers and staff at work, when it is announced, then there is one webhook event for each file',
  async (t) => {
    const { ask, create, store, ...rest } = world()
    const one = { order_id: await create({ customer_id: people.customer.id, reference: 'PO-1' }) }
    await ask(people.admin, assignDriver, { ...one, driver_id: people.driver.id })
    await ask(people.driver, pickUpOrder, { ...one, photo_urls: [first, second] })
    await ask(people.driver, completeOrder, {
      ...one,
      photo_urls: [third],
      signature_url: 'https://files.example/s.png',
    })
    const { files } = await ask(people.employee, listProofFiles, one)
    t.same(
      files.map(({ kind, url, tracking_event_key }) => [kind, url, tracking_event_key]),
      [
        ['photo', first, 'pickup-success'],
        ['photo', second, 'pickup-success'],
        ['photo', third, 'delivery-success'],
        ['signature', 'https://files.example/s.png', 'delivery-success'],
      ],
    )
    const { file } = await ask(people.admin, addProofFile, { ...one, kind: 'photo', url: first })
    t.match(file, { tracking_event_key: 'delivery-success', version: 1, versions: [first] })
    const { file_id } = file
    await ask(people.admin, replaceProofFile, { ...one, file_id, url: second })
    await ask(people.admin, replaceProofFile, { ...one, file_id, url: second })
    const { file: again } = await ask(people.admin, restoreProofVersion, { ...one, file_id, version: 1 })
    t.match(again, { url: first, version: 1, versions: [first, second] })
    await ask(people.admin, removeProofFile, { ...one, file_id })
    const all = await toldBy({ ask, create, store, ...rest })
    t.same(
      all.map(({ type, data }) => [type, data.action, data.file.full_url, data.file.type]),
      [
        ['OrderPickedUp', 'added', first, 1],
        ['OrderPickedUp', 'added', second, 1],
        ['OrderCompleted', 'added', third, 1],
        ['OrderCompleted', 'added', 'https://files.example/s.png', 2],
        ['ProofFileAdded', 'added', first, 1],
        ['ProofFileReplaced', 'updated', second, 1],
        ['ProofFileRestored', 'updated', first, 1],
        ['ProofFileRemoved', 'removed', first, 1],
      ],
    )
    t.equal(new Set(all.map(({ id }) => id)).size, all.length)
    t.equal(new Set(all.slice(0, 5).map(({ data }) => data.file.file_id)).size, 5)
    for (const { id, event, subject, audience, occurredAt, data } of all) {
      t.match(id, new RegExp(`^PFU-${event}-[01]$`))
      t.match(
        { subject, audience },
        {
          subject: `order/${one.order_id}`,
          audience: { kind: 'tenant', businessId: 1, customerId: people.customer.id },
        },
      )
      t.match(occurredAt, /^2026-06-10T16:00:00\.000Z$/)
      t.match(data, { order_id: one.order_id, order_ref: 'PO-1', external_tracking_number: null })
    }
    const [picked, , delivered] = all
    const idOf = (event = '') => {
      const name = { provider: platformProvider, event_id: timelineEventId({ id: event }), trackingNumber: '' }
      return trackingEventIdOf({ ...name, trackingNumber: picked?.data.tracking_number ?? '' })
    }
    t.match(picked?.data.file, {
      ...proofContextOf(eventNamesOf(profiles, 'picked_up'), idOf(picked?.event)),
      service_type: 2,
      service_status: 1,
    })
    t.match(delivered?.data.file, { tracking_event_id: idOf(delivered?.event), service_type: 1, service_status: 1 })
    t.match(picked?.data.file, { url: '/1.jpg', full_url: first, signed_url: first, signed_url_expires_at: null })
  },
)

t.test('given a failed attempt, when its photographs are announced, then it is a failed delivery', async (t) => {
  const { ask, create, ...rest } = world()
  const one = { order_id: await create() }
  await ask(people.admin, assignDriver, { ...one, driver_id: people.driver.id })
  await ask(people.driver, pickUpOrder, one)
  await ask(people.driver, failOrder, { ...one, reason: 'reschedule', photo_urls: [first] })
  const [failed, ...more] = await toldBy({ ask, create, ...rest })
  t.match(failed?.data.file, { tracking_event_key: 'delivery-failed', service_type: 1, service_status: 2 })
  t.same(more, [])
})

t.test(
  'given an order of which nothing is recorded, when staff add a file, then no event has brought it',
  async (t) => {
    const { ask, create, ...rest } = world()
    const one = { order_id: await create() }
    const { file } = await ask(people.admin, addProofFile, { ...one, kind: 'signature', url: first })
    t.match(file, noProofContext)
    const [only] = await toldBy({ ask, create, ...rest })
    t.match(only?.data.file, { type: 2, ...noProofContext })
    t.notOk(only && 'customerId' in only.audience && only.audience.customerId)
  },
)

t.test('given files, when the order is erased, then they are gone and no longer announced', async (t) => {
  const { ask, refused, create, ...rest } = world()
  const one = { order_id: await create() }
  await ask(people.admin, assignDriver, { ...one, driver_id: people.driver.id })
  await ask(people.driver, pickUpOrder, { ...one, photo_urls: [first] })
  const { file } = await ask(people.admin, addProofFile, { ...one, kind: 'photo', url: second })
  await ask(people.admin, replaceProofFile, { ...one, file_id: file.file_id, url: third })
  t.equal((await toldBy({ ask, refused, create, ...rest })).length, 3)
  await ask(operator, forgetOrder, one)
  t.same(await toldBy({ ask, refused, create, ...rest }), [])
  t.same((await ask(people.admin, listProofFiles, one)).files, [])
  t.equal(await refused(people.admin, addProofFile, { ...one, kind: 'photo', url: first }), 'order_forgotten')
  for await (const event of rest.plain.readAll(undefined, { category: 'order' }))
    t.notMatch(JSON.stringify(event), /files\.example/, 'no URL lies unsealed')
})

t.test('given other roles, when they read proof files, then only staff may', async (t) => {
  const { refused, create } = world()
  const one = { order_id: await create() }
  const file = { ...one, file_id: 7 }
  const inputs: Readonly<Record<string, object>> = {
    list_proof_files: one,
    add_proof_file: { ...one, kind: 'photo', url: first },
    replace_proof_file: { ...file, url: first },
    restore_proof_version: { ...file, version: 1 },
    remove_proof_file: file,
    upload_proof_file: { ...one, kind: 'photo', content: jpeg },
    upload_proof_version: { ...file, content: jpeg },
  }
  for (const operation of proofOperations) {
    const own = inputs[operation.name]
    t.equal(await refused(people.customer, operation, own), 'wrong_account')
    // A driver uploads, but for their own orders alone.
    const ofDriver = operation === uploadProofFile ? 'order_not_found' : 'wrong_account'
    t.equal(await refused(people.driver, operation, own), ofDriver)
    t.equal(await refused(people.stranger, operation, own), 'order_not_found')
  }
  t.equal(await refused(people.admin, addProofFile, { ...one, kind: 'photo', url: 'no' }), 'url not_a_url')
  t.equal(await refused(people.admin, removeProofFile, { ...one, file_id: 7 }), 'proof_file_not_found')
})

t.test('given the webhook event, then its example is valid', async (t) => {
  t.same(v.parse(eventType.data, eventType.example), eventType.example)
})

t.test(
  'given a stream without its beginning, when one of its events is announced, then there is nothing',
  async (t) => {
    const { store, models } = world()
    const fact: OrderEvent = { type: 'ProofFileRemoved', data: { ...told, file_id: 7 } }
    const event = { ...fact, id: deriveId('one'), metadata: { schemaVersion: 1 } }
    await store.append('order-9', [event], 'no-stream')
    const [recorded] = (await store.read('order-9')) as readonly RecordedEvent[]
    const facts: WebhookEventFacts = { store, models, baseUrl: 'https://x.example', ...outside, profiles }
    t.same(recorded && (await source.webhookEventsOf(facts, recorded)), [])
  },
)
