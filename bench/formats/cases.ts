import { type Batch, ceilingOf, consume, runOf, unitsOf } from '../../adapters/cli/bench/writing.ts'
import { type Projection, type Representation, textOf } from '../../engine/index.ts'
import { type Case, measured } from '../harness.ts'

/** The plain way to the same bytes: build the document, and serialise it. */
export function plainCase(format: Projection, batch: Batch): Case {
  const { timelines, target } = batch
  return {
    name: `project and JSON.stringify, ${batch.name}`,
    reference: ceilingOf(batch),
    run: runOf(batch, timelines, (timeline) => Buffer.from(JSON.stringify(format.project(timeline, target)))),
  }
}

/** The same in another form. */
export function formCase(format: Projection, form: Representation, batch: Batch): Case {
  const { timelines, target, passes } = batch
  return {
    name: `project and write ${formName(form)}, ${batch.name}`,
    reference: ceilingOf(batch),
    run: () =>
      measured(unitsOf(batch), async () => {
        for (let pass = 0; pass < passes; pass++) {
          for (const timeline of timelines) consume(Buffer.from(await textOf(format, form, timeline, target)))
        }
      }),
  }
}

/** From the text of JSON to events, compared with only parsing the JSON. */
export function readingCases(format: Projection, batch: Batch): readonly Case[] {
  const { timelines, target, name } = batch
  const texts = timelines.map((timeline) => JSON.stringify(format.project(timeline, target)))
  return [
    {
      name: `JSON.parse and parse, ${name}`,
      reference: parsingOf(batch),
      run: runOf(batch, texts, (text) => format.parse?.(JSON.parse(text), target)),
    },
    { name: parsingOf(batch), run: runOf(batch, texts, (text) => JSON.parse(text) as unknown) },
  ]
}

/** From the text of XML to events; `whole` is the batch whose JSON is only parsed. */
export async function xmlCases(format: Projection, batch: Batch, whole: Batch): Promise<readonly Case[]> {
  const { timelines, target, name } = batch
  const xml = format.representations.find(({ mediaType }) => mediaType === 'application/xml')
  if (xml === undefined) return []
  const texts = await Promise.all(timelines.map((timeline) => textOf(format, xml, timeline, target)))
  const run = runOf(batch, texts, (text) => format.parse?.(text, target))
  return [{ name: `parse XML, ${name}`, reference: parsingOf(whole), run }]
}

function parsingOf({ name }: Batch): string {
  return `JSON.parse of the same texts, ${name}`
}

/** Whether a form is written directly, as texts are; JSON-LD is computed and slow. */
export function isQuick(format: Projection, form: Representation, { timelines: [timeline], target }: Batch): boolean {
  return timeline !== undefined && typeof textOf(format, form, timeline, target) === 'string'
}

/** A form in a word or two: `application/ld+json expanded`. */
function formName({ mediaType, form }: Representation): string {
  return [mediaType, ...(form === undefined ? [] : [form.split(/[#/]/).at(-1)])].join(' ')
}
