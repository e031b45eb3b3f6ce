import type { Hono } from 'hono'
import { html } from 'hono/html'
import {
  call,
  dayIn,
  downloadStatement,
  getCreditMovements,
  getWalletMovements,
  isEngineError,
  issueStatements,
  kinds,
  listWallets,
} from '../../../engine/index.ts'
import { addAccount } from '../signed-in/account.ts'
import { showTask, takeTask } from '../signed-in/act.ts'
import type { Task } from '../signed-in/action-page.ts'
import { attachment } from '../signed-in/attachment.ts'
import { confirmedIn } from '../signed-in/confirmed.ts'
import { outputOf } from '../signed-in/output.ts'
import { membersOfInput } from '../signed-in/schema.ts'
import { mayNow, type Visitor } from '../signed-in/session.ts'
import { idIn, message, pageIn, route, type Served, signedForm, signedIn } from '../signed-in/visit.ts'
import { madeOf, statementsOf, totalsOf } from './found.ts'
import { customerPage, staffPage, walletPage } from './page.ts'
import { home, issueHome, type MoneySetting, type Visited } from './setting.ts'
import type { Moved } from './tables.ts'

/** So many rows of a list are on the page; the others are at `/records`. */
const few = 20

/** So many movements are on a page. */
const perPage = 50

/** The page of money: `/money`, for the staff of a business and for its customers. */
export function addMoney(app: Hono, served: Served<MoneySetting>): void {
  addAccount(app, served)
  route(app, 'get', home, signedIn(show))(served)
  route(app, 'get', `${home}/statements/:id{[0-9]{1,15}}/:format{pdf|csv}`, signedIn(download))(served)
  route(app, 'get', issueHome, signedIn(issueForm))(served)
  route(app, 'post', issueHome, signedForm(issue))(served)
  route(app, 'get', `${home}/*`, signedIn<MoneySetting>(missing))(served)
}

function missing(visit: Visited, visitor: Visitor): Promise<Response> {
  return message(visit, 404, visit.setting.money.missing, visitor)
}

async function show(visit: Visited, visitor: Visitor): Promise<Response> {
  const wallet = visit.request.req.query('wallet')
  if (wallet !== undefined) return showWallet(visit, visitor, idIn(wallet))
  if (mayNow(visitor, listWallets)) return showStaff(visit, visitor)
  if (mayNow(visitor, getCreditMovements)) return showOwn(visit, visitor)
  return message(visit, 403, { ...visit.setting.money.forbidden, more: '' }, visitor)
}

/** What customers have, the latest statements, and what prices are made of. */
async function showStaff(visit: Visited, visitor: Visitor): Promise<Response> {
  const { answering, setting, gateway } = visit
  const { wallets } = await outputOf(listWallets, visitor, { per_page: few })
  const shown = {
    ...{ wallets, totals: await totalsOf(visitor), made: await madeOf(visitor) },
    statements: await statementsOf(gateway.operations, visitor, few),
    ...{ month: lastMonth(visitor), key: visitor.context.randomId(), said: confirmedIn(visit, visitor) },
  }
  return answering.page(200, staffPage(shown, visitor, setting))
}

/** The movements of the wallet of a customer, for the staff. */
async function showWallet(visit: Visited, visitor: Visitor, account_id: number | undefined): Promise<Response> {
  if (account_id === undefined || !mayNow(visitor, getWalletMovements) || !mayNow(visitor, listWallets))
    return missing(visit, visitor)
  try {
    const range = { page: pageIn(visit.request), per_page: perPage }
    const moved: Moved = await outputOf(getWalletMovements, visitor, { account_id, ...range })
    const { wallets } = await outputOf(listWallets, visitor, { account_id })
    const page = walletPage({ moved, account: account_id, name: wallets[0]?.name }, visitor, visit.setting)
    return await visit.answering.page(200, page)
  } catch (error) {
    if (isEngineError(error) && (kinds[error.code] === 'not_found' || error.code === 'not_a_customer'))
      return missing(visit, visitor)
    throw error
  }
}

/** What the wallet of the calling customer has, what moved in it, and its statements. */
async function showOwn({ answering, setting, gateway, request }: Visited, visitor: Visitor): Promise<Response> {
  // Amounts that are hidden are missing, so the answer is not what the schema of the output says.
  const moved: unknown = await call(getCreditMovements, visitor.context, { page: pageIn(request), per_page: perPage })
  const statements = await statementsOf(gateway.operations, visitor, few)
  return answering.page(200, customerPage({ moved: moved as Moved, statements }, visitor, setting))
}

async function download(visit: Visited, visitor: Visitor): Promise<Response> {
  const { id, format } = visit.request.req.param()
  if (!mayNow(visitor, downloadStatement)) return missing(visit, visitor)
  try {
    const found = await outputOf(downloadStatement, visitor, { statement_id: Number(id), format })
    const type = format === 'csv' ? 'text/csv; charset=utf-8' : found.media_type
    return attachment(visit.answering, { type, base64: found.document, name: `statement-${found.number}.${format}` })
  } catch (error) {
    if (isEngineError(error) && kinds[error.code] === 'not_found') return missing(visit, visitor)
    throw error
  }
}

function issueForm(visit: Visited, visitor: Visitor): Promise<Response> {
  return mayNow(visitor, issueStatements) ? showTask(visit, visitor, taskOf(visit, visitor)) : missing(visit, visitor)
}

function issue(visit: Visited, visitor: Visitor, form: URLSearchParams): Promise<Response> {
  if (!mayNow(visitor, issueStatements)) return missing(visit, visitor)
  return takeTask(visit, visitor, taskOf(visit, visitor), form)
}

function taskOf({ setting }: Visited, visitor: Visitor): Task {
  return {
    ...{ operation: issueStatements, members: membersOfInput(issueStatements), fixed: {}, choices: new Map() },
    ...{ begun: new Map([['month', lastMonth(visitor)]]), title: '', subject: html``, address: issueHome },
    ...{ back: { path: home, text: setting.money.back }, table: { fields: {} }, reveals: [] },
    done: () => home,
  }
}

/** The last month that is over, in the time zone of the business: `2026-05`. */
function lastMonth({ context, account }: Visitor): string {
  const [year = 0, month = 0] = dayIn(context.clock(), account.business.timeZone).split('-').map(Number)
  return new Date(Date.UTC(year, month - 2)).toISOString().slice(0, 7)
}
