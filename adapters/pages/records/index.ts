import type { Hono } from 'hono'
import { addAccount } from '../signed-in/account.ts'
import { message, route, type Served, signedForm, signedIn } from '../signed-in/visit.ts'
import { sendFile } from './file.ts'
import { showKinds, showList } from './list.ts'
import { showAction, showRecord, takeAction } from './record.ts'
import { home, type RecordSetting } from './setting.ts'

const kind = `${home}/:kind{[a-z-]{1,40}}`
const record = `${kind}/:id{[A-Za-z0-9][A-Za-z0-9._-]{0,63}}`
const actions = [`${kind}/new/:begin{[a-z_]{1,60}}`, `${record}/do/:operation{[a-z_]{1,60}}`]

/** The pages of all things that an operation lists for pages: lists, one for each thing, and one for each action. */
export function addRecords(app: Hono, served: Served<RecordSetting>): void {
  addAccount(app, served)
  for (const path of actions) route(app, 'post', path, signedForm(takeAction))(served)
  const pages = [
    [home, showKinds],
    [kind, showList],
    [record, showRecord],
    [`${record}/file/:operation{[a-z_]{1,60}}`, sendFile],
  ] as const
  for (const [path, show] of pages) route(app, 'get', path, signedIn(show))(served)
  for (const path of actions) route(app, 'get', path, signedIn(showAction))(served)
  route(
    app,
    'get',
    `${home}/*`,
    signedIn<RecordSetting>((visit, visitor) => message(visit, 404, visit.setting.records.missing, visitor)),
  )(served)
}
