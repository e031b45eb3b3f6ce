import fc from 'fast-check'
import t from 'tap'
import { otepTracking, otepTrackingEvents, representationsOf, type Text } from '../engine/index.ts'
import { areMany, runs } from '../engine/testing/runs.test.fixture.ts'
import { projections } from '../projections/index.ts'
import {
  type Asked,
  longCount as count,
  createNode,
  harmless,
  later,
  orders,
  randomFrom,
} from './long-timelines/histories.test.fixture.ts'

const formats = projections.filter(({ name }) => ['otep', 'epcis'].includes(name))

/** Every document of a long timeline, and the answer around it. */
const documents: readonly Omit<Asked, 'view'>[] = formats.flatMap((format) =>
  [undefined, ...representationsOf(format)].map((representation) => ({ format: format.name, representation })),
)

async function joined(text: Text | undefined): Promise<string> {
  if (text === undefined) return ''
  let whole = ''
  if (Symbol.asyncIterator in text) for await (const page of text) whole += page.join('')
  else for (const piece of text) whole += piece
  return whole
}

const isPaged = (text: Text | undefined) => text !== undefined && Symbol.asyncIterator in text

type Node = Awaited<ReturnType<typeof createNode>>

/** A document as it is sent, the same from the whole timeline, and whether it was sent in pages. */
async function documentTwice(node: Node, asked: Asked) {
  const { format, representation } = asked
  const input = { tracking_number: 'SR1', format }
  const sent = await otepTracking.text?.(node.contextOf(asked, false), input, representation)
  const due = await otepTracking.text?.(node.contextOf(asked, true), input, representation)
  return { isPaged: isPaged(sent), sent: await joined(sent), due: await joined(due) }
}

/** The same of the list of events. */
async function eventsTwice(
  node: Node,
  view: Asked['view'],
  page: { readonly limit?: number; readonly after?: string },
) {
  const input = { tracking_number: 'SR1', ...page }
  const sent = await otepTrackingEvents.text?.(node.contextOf({ view }, false), input, undefined)
  const due = await otepTrackingEvents.handle(node.contextOf({ view }, true), input)
  return { isPaged: isPaged(sent), sent: await joined(sent), due }
}

t.test(
  'given a long timeline in any order, when it is read again after anything has happened to it, then each document is that of the whole timeline',
  async (t) => {
    let inPages = 0
    const history = fc.record({
      seed: fc.integer({ min: 1, max: 0xffff }),
      order: fc.constantFrom(...orders),
      steps: fc.array(fc.constantFrom(...later), { minLength: 1, maxLength: 2 }),
    })
    await fc.assert(
      fc.asyncProperty(history, async ({ seed, order, steps }) => {
        const random = randomFrom(seed)
        const node = await createNode(random, order, count)
        let isPlain = true
        for (const step of [undefined, ...steps]) {
          if (step !== undefined) await node.change(step)
          isPlain &&= step === undefined || harmless.includes(step)
          for (const view of ['full', 'reduced'] as const) {
            const asked = documents[Math.floor(random() * documents.length)] as Asked
            const { isPaged, sent, due } = await documentTwice(node, { ...asked, view })
            await node.settled()
            t.equal(isPaged, isPlain, `${step} in ${order}`)
            t.ok(sent === due, `${asked.format} ${asked.representation?.mediaType} after ${step} in ${order}, ${view}`)
            if (isPaged) inPages++
          }
        }
      }),
      { numRuns: runs(t, 1) },
    )
    t.ok(inPages > 1, `${inPages} documents were sent in pages`)
  },
)

t.test('given a long timeline, when it is written in every format, then each document is the whole one', async (t) => {
  for (const order of areMany ? orders : (['ties'] as const)) {
    const node = await createNode(randomFrom(7), order, count)
    for (const asked of documents) {
      const { isPaged, sent, due } = await documentTwice(node, { ...asked, view: 'full' })
      t.ok(isPaged && sent === due, `${asked.format} ${asked.representation?.mediaType} ${order}`)
      t.equal(sent.includes('providers_contradict'), asked.representation === undefined, 'as a warning, in the answer')
    }
  }
})

t.test('given a long timeline, when its events are read, then they are those of the whole answer', async (t) => {
  const node = await createNode(randomFrom(3), 'late', count)
  for (const view of ['full', 'reduced'] as const) {
    let after: string | undefined
    for (const limit of [undefined, 1, 100, 63, 4_036, 10_000]) {
      const page = { ...(limit === undefined ? {} : { limit }), ...(after === undefined ? {} : { after }) }
      const { isPaged, sent, due } = await eventsTwice(node, view, page)
      t.ok(isPaged && sent === JSON.stringify(due), `${limit} ${view}`)
      if (typeof due.next === 'string') after = due.next
    }
    await t.rejects(eventsTwice(node, view, { after: 'nowhere' }), { code: 'invalid_input' })
  }
})
