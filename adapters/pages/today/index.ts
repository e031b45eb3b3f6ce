import type { Hono } from 'hono'
import { html } from 'hono/html'
import type { GenericSchema, InferOutput } from 'valibot'
import {
  getIngestHealth,
  getOnTimeRate,
  getServerState,
  getToday,
  getWebhookHealth,
  listPendingApprovals,
  type Operation,
} from '../../../engine/index.ts'
import { addAccount, outputOf } from '../signed-in/account.ts'
import { withLanguage } from '../signed-in/area.ts'
import { may, type Visitor } from '../signed-in/session.ts'
import { message, route, type Served, signedIn } from '../signed-in/visit.ts'
import { todayPage } from './page.ts'
import { home, type TodaySetting, type Visited } from './setting.ts'

/** The page of today: what is open, what needs somebody, and how providers, webhooks and the server are. */
export function addToday(app: Hono, served: Served<TodaySetting>): void {
  addAccount(app, served)
  route<TodaySetting>(app, 'get', home, signedIn(show))(served)
}

async function show(visit: Visited, visitor: Visitor): Promise<Response> {
  const { answering, setting } = visit
  if (!may(visitor, getToday)) return message(visit, 403, mayNot(setting), visitor)
  const [today, onTime, approvals, ingest, webhooks, server] = await Promise.all([
    outputOf(getToday, visitor, {}),
    allowed(getOnTimeRate, visitor, {}),
    allowed(listPendingApprovals, visitor, { per_page: 1 }),
    allowed(getIngestHealth, visitor, {}),
    allowed(getWebhookHealth, visitor, {}),
    allowed(getServerState, visitor, {}),
  ])
  const seen = { today, onTime, approvals: approvals?.total, ingest, webhooks, server }
  return answering.page(200, todayPage(seen, visitor, setting))
}

/** What somebody reads whose account has other pages. */
function mayNot(setting: TodaySetting) {
  const { today: texts, signed } = setting
  const path = withLanguage('/account', setting)
  return { ...texts.mayNot, more: html`<p><a href="${path}">${signed.navigation.own}</a></p>` }
}

/** The answer of an operation; undefined if the account may not call it. */
async function allowed<Output extends GenericSchema>(
  operation: Operation<GenericSchema, Output>,
  visitor: Visitor,
  input: object,
): Promise<InferOutput<Output> | undefined> {
  return may(visitor, operation) ? outputOf(operation, visitor, input) : undefined
}
