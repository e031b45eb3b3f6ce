import {
  type Context,
  isRefusal,
  type Projection,
  type Representation,
  requestedFormat,
  type Timeline,
} from '../../../engine/index.ts'

/** A form of the documents of a format: JSON, or another media type. */
export interface Form {
  readonly format: Projection
  readonly extension: 'json' | 'xml'
  readonly representation: Representation
}

/** A timeline in one form; without a text, it would be too long for a page. */
export interface Written extends Form {
  readonly text?: string
}

/** The most characters of one document on a page, and of all together. */
const mostCharacters = { each: 128 * 1024, all: 1024 * 1024 }

/** A timeline with more events is not written, because most formats would be too long. */
const mostEvents = 1_000

/** What is left of the characters that a page may have. */
export interface Room {
  characters: number
}

/** The room of an empty page. */
export function newRoom(): Room {
  return { characters: mostCharacters.all }
}

/** The forms in which a timeline can be shown: each format in JSON, and in XML where it has that. */
export function formsOf(format: Projection): readonly Form[] {
  const json: Form = { format, extension: 'json', representation: { mediaType: 'application/json' } }
  const xml = format.representations.filter(({ mediaType }) => /[/+]xml$/.test(mediaType))
  return [json, ...xml.map((representation): Form => ({ format, extension: 'xml', representation }))]
}

/** A timeline in a form, as long as there is room for it. */
export async function writtenIn(form: Form, timeline: Timeline, context: Context, room: Room): Promise<Written> {
  const { maxEvents = mostEvents } = form.representation
  if (timeline.events.length > Math.min(maxEvents, mostEvents)) return form
  const most = Math.min(mostCharacters.each, room.characters)
  try {
    const text = await bounded(await piecesOf(form, timeline, context), most, context)
    if (text === undefined) return form
    room.characters -= text.length
    return { ...form, text: laidOut(text, form) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return form
  }
}

async function piecesOf(
  { format, representation }: Form,
  timeline: Timeline,
  context: Context,
): Promise<Iterable<string>> {
  const { target } = requestedFormat(context, format.name)
  if (representation.pieces !== undefined) return representation.pieces(timeline, target)
  if (representation.write !== undefined) return [await representation.write(format.project(timeline, target))]
  return format.pieces(timeline, target)
}

/** Pieces that are made in one turn of the event loop. */
const piecesPerTurn = 50

async function bounded(pieces: Iterable<string>, most: number, { pause }: Context): Promise<string | undefined> {
  const taken: string[] = []
  let length = 0
  for (const piece of pieces) {
    taken.push(piece)
    length += piece.length
    if (length > most) return undefined
    if (taken.length % piecesPerTurn === 0) await pause()
  }
  return taken.join('')
}

/** A document in lines that people can read. Between the elements of these formats, white space has no meaning. */
function laidOut(text: string, { extension }: Form): string {
  return extension === 'json' ? JSON.stringify(JSON.parse(text), undefined, 2) : text.replace(/>(?=<[^/])/g, '>\n')
}
