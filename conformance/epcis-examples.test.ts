import t from 'tap'
import { createParts } from '../adapters/main.ts'
import {
  type Context,
  call,
  createMemoryStore,
  en,
  otepIngestEpcis,
  readTimeline,
  type StreamName,
  type Timeline,
} from '../engine/index.ts'
import { epcis } from '../projections/epcis/index.ts'
import { examples } from './judges/epcis/files.ts'
import { judges } from './judges/epcis/index.ts'
import { isFaultless, testWith } from './judges/official.test.fixture.ts'
import { documentsOf } from './suites/projection/documents.ts'
import { baseUrl } from './suites/projection/samples.ts'

interface IngestAnswer {
  readonly accepted: number
  readonly duplicate: number
  readonly rejected: number
  readonly ignored?: number
}

function engine(): Context {
  const store = createMemoryStore(() => Date.parse('2026-11-21T12:00:00Z'))
  const parts = createParts({ store, publicView: 'full', baseUrl, clock: () => Date.parse('2026-11-21T12:00:00Z') })
  const caller = { kind: 'operator', name: 'partner', scopes: ['otep:ingest'] } as const
  return { ...parts, caller, messages: en, requestId: 'test' }
}

/** Posts a document as it is sent: JSON as its value, XML as its text. */
async function posted(context: Context, text: string): Promise<IngestAnswer> {
  const document: unknown = text.startsWith('<') ? text : JSON.parse(text)
  return (await call(otepIngestEpcis, context, { document })).data as unknown as IngestAnswer
}

async function timelinesIn(context: Context): Promise<readonly Timeline[]> {
  const streams = new Set<StreamName>()
  for await (const { stream } of context.store.readAll(undefined, { category: 'tracking' }))
    streams.add(stream as StreamName)
  return Promise.all([...streams].map(async (stream) => (await readTimeline(context, stream)).timeline))
}

testWith(
  t,
  { examples },
  'the six official examples of GS1 go in, and come out as documents that its judges take',
  async (t, { examples }) => {
    t.equal(examples.length, 6)
    for (const { name, text: raw } of examples) {
      await t.test(name, async (t) => {
        const context = engine()
        const text = raw.replace(/^\uFEFF/, '')
        const { accepted, rejected, ignored = 0 } = await posted(context, text)
        t.equal(rejected, 0)
        // It is about 200 kg of a lot: no single thing that could be tracked.
        if (name === 'Example_9.6.2-ObjectEvent.jsonld') return void t.same([accepted, ignored], [0, 1])
        t.ok(accepted > 0, `${accepted} accepted`)
        t.match(
          await posted(context, text),
          { accepted: 0, rejected: 0, duplicate: accepted },
          'sent again, it is known',
        )
        const timelines = await timelinesIn(context)
        t.not(timelines.length, 0)
        for (const timeline of timelines) {
          for (const document of await documentsOf(epcis, timeline)) {
            for (const judge of judges.filter((one) => one.takes(document))) await isFaultless(t, judge, document)
            const again = await posted(context, document.text)
            t.match(again, { accepted: 0, rejected: 0 }, `${document.mediaType} of ours is known`)
          }
        }
      })
    }
  },
)
