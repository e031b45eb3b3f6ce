import { readFileSync } from 'node:fs'
import type { Context, Timeline } from '../../../engine/index.ts'
import { isRead } from '../../http/trial.ts'
import { packageFile } from '../../node/package-files.ts'
import { tryDocument } from './trial.ts'
import { type Form, formsOf, newRoom, writtenIn } from './written.ts'

/** A document at hand: its name in the query of the page, and how it is made. */
export interface Example {
  readonly name: string
  readonly form: Form
  /** Whether it is there for its errors. */
  readonly isFaulty: boolean
  /** Whether it has one event on each line (NDJSON). */
  readonly isInLines?: true
}

/** A document of docs/examples. */
function documentOf(name: string): string {
  return readFileSync(packageFile(`docs/examples/${name}`), 'utf8')
}

/** One example for each form of each format that can be read, one in lines, and one with errors. */
export function examplesOf({ formats }: Pick<Context, 'formats'>): readonly Example[] {
  const forms = formats.filter(isRead).flatMap(formsOf)
  const good = forms.map((form) => ({ name: `${form.format.name}.${form.extension}`, form, isFaulty: false }))
  const [native] = formsOf(formats[0])
  if (native === undefined) return good
  const lines = { name: `${native.format.name}.ndjson`, form: native, isFaulty: false, isInLines: true } as const
  return [...good, lines, { name: 'errors', form: native, isFaulty: true }]
}

/** The text of an example; in other formats than the native one, it is the same journey as the engine writes it. */
export async function textOfExample({ form, isFaulty, isInLines }: Example, context: Context): Promise<string> {
  if (isFaulty) return documentOf('nothing-conforms.json')
  if (isInLines) return documentOf('happy-path.ndjson')
  const [native] = context.formats
  const journeyText = documentOf('happy-path.json')
  if (form.format === native) return journeyText
  const { timelines } = await tryDocument(context, journeyText, native)
  const { text = '' } = await writtenIn(form, timelines[0] as Timeline, context, newRoom())
  return text
}
