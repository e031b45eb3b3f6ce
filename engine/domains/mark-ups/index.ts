import type { Gives, Giving } from '../../entity/domain.ts'
import { markUpsOf } from './for-carriers.ts'
import { markUpMessages } from './messages.ts'
import { exportMarkUps, getMarkUps, importMarkUps, publishMarkUps } from './operations.ts'
import { markUpEventShapes } from './published.ts'

export { markUpColumns, rowOf as rowOfMarkUp, ruleOf as ruleOfRow } from './csv.ts'
export type { MarkUpCode } from './messages.ts'
export { exportMarkUps, getMarkUps, importMarkUps, publishMarkUps } from './operations.ts'
export type { MarkUpPorts } from './ports.ts'

/** What others get from here, by who needs it. */
const gives = { carriers: { markUpsOf } } satisfies Gives

/** Mark-ups: what a business adds to the rates of carriers for its customers, and which of them they may buy. */
export const markUpsDomain: Giving<typeof gives> = {
  gives,
  name: 'mark-ups',
  messages: [markUpMessages],
  events: { mark_ups: markUpEventShapes },
  operations: [getMarkUps, publishMarkUps, importMarkUps, exportMarkUps],
}
