import { loadEntity, loadOwn, type Named, ownId } from '../../entity/access.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { type BoardCommand, boards } from './decider.ts'
import type { Board } from './state.ts'

/** The stream of a board. */
export function boardStream(id: number): StreamName {
  return `route_board-${id}`
}

/** The id of a stream's board. */
export function boardOf(stream: string): number {
  return Number(stream.slice('route_board-'.length))
}

/** Everybody who works for a business sees its boards. */
const kind: Named<Board> = {
  entity: {
    category: 'route_board',
    refusals: { missing: 'route_board_not_found', param: 'board' },
    access: { belongs: (context, { businessId }) => businessId === accountOf(context).business.id },
  },
  decider: boards,
}

/** What the member of `boardEntries` names. */
export const boardIds = { board_id: ownId(kind) }

/** A board of the caller's business; refuses with `route_board_not_found`. */
export async function visibleBoard(context: Context, id: number): Promise<Board> {
  return (await loadOwn(context, kind, id)).state
}

/** Runs a command on a board of the caller's business and returns its new state. */
export async function runCommand(context: Context, id: number, command: BoardCommand): Promise<Board> {
  const before = await visibleBoard(context, id)
  await execute(context.store, boards, boardStream(id), command, toNewEvent(context))
  return (await loadEntity(context, kind, id)) ?? before
}

/** The time of a command and the calling account. */
export function commandStamp(context: Context): { readonly at: string; readonly by: number } {
  return { at: isoOf(context.clock()), by: accountOf(context).id }
}
