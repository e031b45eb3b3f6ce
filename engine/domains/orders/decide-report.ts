import { type CarrierReport, type ReportedStep, reportedSteps } from '../../kernel/carrier-report.ts'
import { type CommandOf, driverLoses, eventBase, movedTo } from './decided.ts'
import type { OrderEvent } from './events.ts'
import { allows, type Move, moves } from './moves.ts'
import type { Order } from './state.ts'
import type { Status } from './status.ts'

type TakeReport = CommandOf<'TakeReport'>

/**
 * What follows from the status that a carrier reports of the parcel of an order. A carrier that is to deliver it has it from its
 * first scan on. Nothing follows for another carrier, and once the order has ended.
 */
export function decideReport(command: TakeReport, order: Order): readonly OrderEvent[] {
  const { report } = command
  const step = reportedSteps[report.status_code] ?? 'none'
  if (order.provider !== undefined && !isSameName(order.provider, report.provider)) return []
  const isHeld = order.provider !== undefined
  if (step === 'none' || isOver(report, order)) return []
  if (!isHeld && (step === 'given_back' || step === 'pickup_failed' || !canBeTaken(order))) return []
  const taken = isHeld ? [] : takenBy(command, order)
  const status = isHeld ? order.status : moves.hand_to_carrier.to
  const move = moveOf(step, status)
  return [...taken, ...(move === undefined ? [] : [eventOf(command, move, status)])]
}

/** What follows from the scan of a carrier to which nobody has given the order: a note, as long as nobody has it. */
export function decideNote(command: CommandOf<'NoteReport'>, order: Order): readonly OrderEvent[] {
  const { provider, status_code } = command.report
  const isScan = (reportedSteps[status_code] ?? 'none') !== 'none'
  if (!isScan || !isFree(order) || order.provider !== undefined || order.reported_by === provider) return []
  if (isOver(command.report, order)) return []
  return [{ type: 'OrderReportedOn', data: { ...eventBase(command), reported_by: provider } }]
}

/** What follows from carriers that contradict each other on the parcel of an order, or that do not any more. */
export function decideContradiction(command: CommandOf<'NoteContradiction'>, order: Order): readonly OrderEvent[] {
  const { contradicting } = command
  if (order.contradicting === contradicting) return []
  const base = eventBase(command)
  return contradicting === undefined
    ? [{ type: 'OrderContradictionEnded', data: base }]
    : [{ type: 'OrderContradicted', data: { ...base, contradicting } }]
}

/** Whether two names are those of one carrier: people write them in any case. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Whether a report has been taken already, or somebody has moved the order since it came. */
function isOver({ position, recorded_at = '' }: CarrierReport, { last_report, decided_at = '' }: Order): boolean {
  return (last_report !== undefined && position <= last_report) || (recorded_at !== '' && recorded_at < decided_at)
}

/** The carrier has an order from now on; a driver whose attempt has failed loses it. */
function takenBy(command: TakeReport, order: Order): readonly OrderEvent[] {
  const move = order.status === 'FAILED' ? 'carry_on' : 'hand_to_carrier'
  return [...driverLoses(command, order, 'handover'), eventOf(command, move, order.status)]
}

/** Whether an order that is given to a provider can be with it: nobody else has it, or has failed with it. */
function canBeTaken({ status, route_id, broker_id }: Order): boolean {
  return (status === 'NEW_ORDER' || status === 'FAILED') && route_id === undefined && broker_id === undefined
}

/** An order that nobody else has. */
function isFree({ status, route_id, broker_id }: Order): boolean {
  return status === 'NEW_ORDER' && route_id === undefined && broker_id === undefined
}

type Reported = Extract<Move, 'hand_to_carrier' | 'carry_on' | 'fail' | 'return' | 'take_back' | 'carrier_delivered'>

const reportedMoves: Readonly<Record<Exclude<ReportedStep, 'none'>, Reported>> = {
  carried: 'carry_on',
  pickup_failed: 'fail',
  delivery_failed: 'fail',
  refused: 'fail',
  delivered: 'carrier_delivered',
  returned: 'return',
  given_back: 'take_back',
}

/** The move that a step makes; undefined where the status says it already, or holds for good. */
function moveOf(step: Exclude<ReportedStep, 'none'>, status: Status): Reported | undefined {
  const move = reportedMoves[step]
  return allows(status, move) ? move : undefined
}

function eventOf(command: TakeReport, move: Reported, from: Status): OrderEvent {
  const { report: reported } = command
  const { event: type, to } = moves[move]
  const data = { ...movedTo(command, from, to), reported, ...particularsOf(move, reported) }
  return { type, data } as OrderEvent
}

function particularsOf(move: Reported, { provider, status_code }: CarrierReport) {
  if (move === 'return') return {}
  if (move !== 'fail') return { provider }
  const stage = reportedSteps[status_code] === 'pickup_failed' ? 'pickup' : 'delivery'
  return { stage, reason: reportedSteps[status_code] === 'refused' ? 'refused' : 'deliver_later' }
}
