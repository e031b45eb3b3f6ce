import * as v from 'valibot'
import type { Facts } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { load } from '../read.ts'
import { type App, type AppClient, appStream, apps, availableClient } from './app.ts'
import { code } from './schema.ts'

/** An app and one of its clients. */
export interface AppAtClient {
  readonly app: App
  readonly client: AppClient
}

/** An app and its client. Refuses with `app_context_not_found`, and with `app_unavailable` if either is unavailable. */
export async function findContext(
  { store }: Pick<Facts, 'store'>,
  { appCode, clientCode }: { readonly appCode: string; readonly clientCode: string },
): Promise<AppAtClient> {
  const app = v.is(code, appCode) ? (await load(store, apps, appStream(appCode))).state : undefined
  if (app?.clients.has(clientCode) !== true) throw new EngineError('app_context_not_found')
  const client = availableClient(app, clientCode)
  if (client === undefined) throw new EngineError('app_unavailable')
  return { app, client }
}
