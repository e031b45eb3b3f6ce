import { type EventStore, isoOf } from '../../engine/index.ts'
import { createDigest, historyFormat, lineOf } from './lines.ts'

/** A piece of a history file: whole lines, and the number of events up to its end. */
interface Piece {
  readonly text: string
  readonly events: number
}

/** Characters per piece; the last line may exceed it. */
const pieceSize = 65_536

/** Exports the whole history of a store as text in pieces; `now` in epoch milliseconds. */
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
