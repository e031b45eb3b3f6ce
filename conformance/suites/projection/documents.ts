import {
  type Projection,
  type Representation,
  representationsOf,
  type Target,
  type Timeline,
  textOf,
} from '../../../engine/index.ts'
import { baseUrl, plainTarget } from './samples.ts'

/** A document of a format as it is sent, and the timeline that it was made from. */
export interface Judged {
  /** JSON or XML. */
  readonly text: string
  /** Without parameters: `application/xml`. */
  readonly mediaType: string
  /** The JSON-LD form (or the like), where the representation has one. */
  readonly form?: string
  readonly timeline: Timeline
  readonly target: Target
}

/** The parts of valibot's schema of options that contain their values. */
interface OptionsShape {
  readonly type?: string
  readonly entries?: Readonly<Record<string, OptionShape>>
}

interface OptionShape {
  readonly wrapped?: OptionShape
  readonly options?: readonly unknown[]
}

/**
 * The options of a format with the values that each may have; one that takes any text has none. Values that ask
 * for kept sources are left out: the timelines of the suites have none.
 */
export function optionsOf({ options, wantsSources }: Projection): Readonly<Record<string, readonly string[]>> {
  const { entries = {} } = (options ?? {}) as OptionsShape
  return Object.fromEntries(
    Object.entries(entries).map(([name, { wrapped, options: values = wrapped?.options ?? [] }]) => [
      name,
      values.filter((value) => typeof value === 'string' && wantsSources?.({ [name]: value }) !== true) as string[],
    ]),
  )
}

/** Every target of a format: without options, and with each value of each option. */
export function targetsOf(format: Projection): readonly Target[] {
  const chosen = Object.entries(optionsOf(format)).flatMap(([name, values]) =>
    values.map((value): Target => ({ baseUrl, options: { [name]: value } })),
  )
  return [plainTarget, ...chosen]
}

/** A document in one form, as it is sent. */
export async function written(
  format: Projection,
  representation: Representation,
  timeline: Timeline,
  target: Target,
): Promise<Judged> {
  const { mediaType, form } = representation
  const text = await textOf(format, representation, timeline, target)
  return { text, mediaType, ...(form === undefined ? {} : { form }), timeline, target }
}

/** The documents of a timeline in every form and with every option; equal ones occur once. */
export async function documentsOf(format: Projection, timeline: Timeline): Promise<readonly Judged[]> {
  const documents = new Map<string, Judged>()
  for (const target of targetsOf(format)) {
    for (const representation of representationsOf(format)) {
      const document = await written(format, representation, timeline, target)
      const key = `${formName(document)} ${document.text}`
      if (!documents.has(key)) documents.set(key, document)
    }
  }
  return [...documents.values()]
}

/** The name of a form: its media type, and what distinguishes it from others of the same type. */
export function formName({ mediaType, form }: Pick<Representation, 'mediaType' | 'form'>): string {
  return form === undefined ? mediaType : `${mediaType} (${form})`
}

/** Options in words: `as=capture`. */
export function optionsName({ options }: Target): string {
  return Object.entries(options)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}
