import { type EventStore, isoOf } from '../../engine/index.ts'
import { createDigest, historyFormat, lineOf } from './lines.ts'

/** A piece of a history file: whole lines, and how many events there are up to its end. */
export interface Piece {
  readonly text: string
  readonly events: number
}

/** Characters of a piece, or a line more. */
const pieceSize = 65_536

/** The whole history of a store as the text of a history file, piece by piece; `now` in epoch milliseconds. */
export async function* exportHistory(
  store: Pick<EventStore, 'readAll'>,
  { name, now }: { readonly name: string; readonly now: number },
): AsyncGenerator<Piece> {
  const digest = createDigest()
  let text = ''
  let events = 0
  function add(line: string) {
    digest.add(line)
    text += `${line}\n`
  }
  add(JSON.stringify({ ...historyFormat, exported_at: isoOf(now), store: name }))
  for await (const event of store.readAll()) {
    add(lineOf(event))
    events++
    if (text.length < pieceSize) continue
    yield { text, events }
    text = ''
  }
  yield { text: `${text}${JSON.stringify({ events, sha256: digest.value() })}\n`, events }
}
