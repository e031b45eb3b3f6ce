import type { Projection, Representation, Target, Timeline } from '../../engine/index.ts'
import { type Case, measured } from '../harness.ts'

/** Timelines of one length, and what a case of them is called after: `10 events`. */
export interface Batch {
  readonly name: string
  readonly timelines: readonly Timeline[]
  readonly target: Target
  /** How often a run goes through them. */
  readonly passes: number
}

/** The name of the case that others are held against: of a history the document itself, of a state what it is folded of. */
export function ceilingOf({ kind }: Projection, { name }: Batch): string {
  return `JSON.stringify of ${kind === 'history' ? 'the same documents' : 'the timelines themselves'}, ${name}`
}

/** The name of the case that peers are held against. */
export function projectionOf({ name }: Batch): string {
  return `project and JSON.stringify, ${name}`
}

/** How many events a run of a batch goes through. */
export function unitsOf({ timelines, passes }: Batch): number {
  return passes * timelines.reduce((sum, { events }) => sum + events.length, 0)
}

/** From timelines to texts of JSON, and the ceiling: the texts of documents that are there already. */
export function writingCases(format: Projection, batch: Batch): readonly Case[] {
  const { timelines, target, passes } = batch
  const ready = format.kind === 'history' ? timelines.map((timeline) => format.project(timeline, target)) : timelines
  const reference = ceilingOf(format, batch)
  const run =
    <Item>(items: readonly Item[], work: (item: Item) => unknown) =>
    () =>
      measured(unitsOf(batch), () => repeat(passes, items, work))
  return [
    {
      name: projectionOf(batch),
      reference,
      run: run(timelines, (timeline) => JSON.stringify(format.project(timeline, target))),
    },
    {
      name: reference,
      run: run<unknown>(ready, (document) => JSON.stringify(document)),
    },
  ]
}

/** The same in another form. */
export function formCase(format: Projection, form: Representation, batch: Batch): Case {
  const { timelines, target, passes } = batch
  return {
    name: `project and write ${formName(form)}, ${batch.name}`,
    reference: ceilingOf(format, batch),
    run: () =>
      measured(unitsOf(batch), async () => {
        for (let pass = 0; pass < passes; pass++) {
          for (const timeline of timelines) consume(await form.write(format.project(timeline, target)))
        }
      }),
  }
}

/** From the text of JSON to events, against reading the JSON alone. */
export function readingCases(format: Projection, batch: Batch): readonly Case[] {
  const { timelines, target, passes, name } = batch
  const texts = timelines.map((timeline) => JSON.stringify(format.project(timeline, target)))
  const run = (read: (text: string) => unknown) => () => measured(unitsOf(batch), () => repeat(passes, texts, read))
  return [
    {
      name: `JSON.parse and parse, ${name}`,
      reference: parsingOf(batch),
      run: run((text) => format.parse?.(JSON.parse(text), target)),
    },
    { name: parsingOf(batch), run: run((text) => JSON.parse(text) as unknown) },
  ]
}

/** From the text of XML to events; `whole` is the batch whose JSON is read alone. */
export async function xmlCases(format: Projection, batch: Batch, whole: Batch): Promise<readonly Case[]> {
  const { timelines, target, passes, name } = batch
  const xml = format.representations.find(({ mediaType }) => mediaType === 'application/xml')
  if (xml === undefined) return []
  const texts = await Promise.all(timelines.map((timeline) => xml.write(format.project(timeline, target))))
  const run = () => measured(unitsOf(batch), () => repeat(passes, texts, (text) => format.parse?.(text, target)))
  return [{ name: `parse XML, ${name}`, reference: parsingOf(whole), run }]
}

function parsingOf({ name }: Batch): string {
  return `JSON.parse of the same texts, ${name}`
}

/** Whether a form is written on the spot, as a text is; JSON-LD is worked out, and slow. */
export function isQuick(format: Projection, form: Representation, { timelines: [timeline], target }: Batch): boolean {
  return timeline !== undefined && typeof form.write(format.project(timeline, target)) === 'string'
}

/** A form in a word or two: `application/ld+json expanded`. */
export function formName({ mediaType, form }: Representation): string {
  return [mediaType, ...(form === undefined ? [] : [form.split(/[#/]/).at(-1)])].join(' ')
}

/** Goes through the items again and again. */
export function repeat<Item>(passes: number, items: readonly Item[], work: (item: Item) => unknown): void {
  for (let pass = 0; pass < passes; pass++) for (const item of items) consume(work(item))
}

/** Looks at a result, so that nobody may leave the work out. */
function consume(result: unknown): void {
  if (result === undefined || result === '') throw new Error('A case has made nothing.')
}
