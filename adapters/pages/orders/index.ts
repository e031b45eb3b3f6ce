import type { Hono } from 'hono'
import { addAccount } from '../signed-in/account.ts'
import { message, route, type Served, signedForm, signedIn } from '../signed-in/visit.ts'
import { showAction, takeAction } from './act.ts'
import { downloadLabels, exportCsv } from './downloads.ts'
import { downloadTemplate, showBatch, showImport, takeImport } from './import.ts'
import { showOrders } from './list.ts'
import { streamOrders } from './live.ts'
import { showOrder } from './order.ts'
import { home, importHome, type OrderSetting } from './setting.ts'

const order = `${home}/:id{[1-9][0-9]{0,14}}`
const action = `${order}/do/:operation{[a-z_]{1,60}}`

const pages = [
  [home, showOrders],
  [`${home}/live`, streamOrders],
  [`${home}/export.csv`, exportCsv],
  [importHome, showImport],
  [`${importHome}/template.csv`, downloadTemplate],
  [`${importHome}/:batch{[1-9][0-9]{0,14}}`, showBatch],
  [order, showOrder],
  [`${order}/:file{labels\\.(?:pdf|zpl)}`, downloadLabels],
  [action, showAction],
] as const

/** The pages on which people find orders and work on them: `/orders`, and one for each order and each action on it. */
export function addOrders(app: Hono, served: Served<OrderSetting>): void {
  addAccount(app, served)
  route(app, 'post', importHome, signedForm(takeImport))(served)
  route(app, 'post', action, signedForm(takeAction))(served)
  for (const [path, show] of pages) route(app, 'get', path, signedIn(show))(served)
  route(
    app,
    'get',
    `${home}/*`,
    signedIn<OrderSetting>((visit, visitor) => message(visit, 404, visit.setting.orders.missing, visitor)),
  )(served)
}
