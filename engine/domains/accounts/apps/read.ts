import * as v from 'valibot'
import type { Facts } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { load } from '../read.ts'
import { type App, type AppClient, appStream, apps, availableClient } from './app.ts'
import { code } from './schema.ts'

/** An app, and a client that it is assigned to. */
export interface AppContextFound {
  readonly app: App
  readonly client: AppClient
}

/** An app and its client; refuses with `app_context_not_found`, and with `app_unavailable` what cannot be used now. */
export async function findContext(
  { store }: Pick<Facts, 'store'>,
  { app_code, client_code }: { readonly app_code: string; readonly client_code: string },
): Promise<AppContextFound> {
  const app = v.is(code, app_code) ? (await load(store, apps, appStream(app_code))).state : undefined
  if (app?.clients.has(client_code) !== true) throw new EngineError('app_context_not_found')
  const client = availableClient(app, client_code)
  if (client === undefined) throw new EngineError('app_unavailable')
  return { app, client }
}
