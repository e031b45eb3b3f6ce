import type { Role } from '../../../kernel/account.ts'
import type { IdentityProvider } from '../../../kernel/credentials.ts'
import type { Decider, Reducer } from '../../../kernel/decider.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Event } from '../../../kernel/event.ts'
import type { StreamName } from '../../../kernel/stream.ts'

/** The stream of an app and of the clients that it is assigned to. */
export function appStream(code: string): StreamName {
  return `app-${code}`
}

/** What a version of an app may be on a platform (Semantic Versioning 2.0.0). */
export interface Versions {
  readonly platform: 'ios' | 'android'
  /** An earlier one must be updated. */
  readonly minimum_version: string
  /** An earlier one should be. */
  readonly latest_version: string
}

/** An app, the same for all clients. */
export interface AppSettings {
  readonly name: string
  readonly type: string
  readonly schema_version: number
  /** Kinds of account that may sign in. */
  readonly roles: readonly Role[]
  /** Identity providers, each by the word that stands in its path. */
  readonly providers: readonly (IdentityProvider & { readonly name: string })[]
  /** Ids of everything that it can do for a client. */
  readonly capabilities: readonly string[]
  readonly versions: readonly Versions[]
}

/** An app as one client has it. */
export interface ClientSettings {
  readonly display_name: string
  readonly business_id: number
  /** `email`, and names of identity providers of the app. */
  readonly methods: readonly string[]
  /** Those of the app that are on. */
  readonly capabilities: readonly string[]
  /** Shortcuts that are shown, in this order. */
  readonly quick_actions: readonly string[]
  /** ISO 3166-1 alpha-2. */
  readonly default_phone_region: string
}

interface AppEventBase {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly app_code: string
}

/** What happened to an app. */
export type AppEvent =
  | Event<'AppConfigured', AppEventBase & { readonly settings: AppSettings }>
  | Event<'AppAvailabilitySet', AppEventBase & { readonly is_available: boolean }>
  | Event<'AppAssigned', AppEventBase & { readonly client_code: string; readonly settings: ClientSettings }>
  | Event<'AssignmentAvailabilitySet', AppEventBase & { readonly client_code: string; readonly is_available: boolean }>

const types: Readonly<Record<AppEvent['type'], true>> = {
  AppConfigured: true,
  AppAvailabilitySet: true,
  AppAssigned: true,
  AssignmentAvailabilitySet: true,
}

/** The types of the events of apps. */
export const appEventTypes: readonly string[] = Object.keys(types)

/** A client's assignment. */
export interface AppClient {
  readonly settings: ClientSettings
  readonly isAvailable: boolean
}

/** An app as its facts have it. */
export interface App {
  readonly code: string
  readonly settings: AppSettings
  readonly isAvailable: boolean
  readonly clients: ReadonlyMap<string, AppClient>
  /** Counts the changes of the app and its assignments. */
  readonly configurationVersion: number
}

/** What can be asked of an app. */
export type AppCommand =
  | (AppEventBase & { readonly type: 'ConfigureApp'; readonly settings: AppSettings })
  | (AppEventBase & { readonly type: 'AssignApp'; readonly client_code: string; readonly settings: ClientSettings })
  | (AppEventBase & { readonly type: 'SetAvailability'; readonly client_code?: string; readonly is_available: boolean })

const evolve: Reducer<App | undefined, AppEvent> = (app, { type, data }) => {
  const configurationVersion = (app?.configurationVersion ?? 0) + 1
  if (type === 'AppConfigured') {
    const { app_code: code, settings } = data
    return { isAvailable: true, clients: new Map(), ...app, code, settings, configurationVersion }
  }
  if (app === undefined) return app
  switch (type) {
    case 'AppAvailabilitySet':
      return { ...app, configurationVersion, isAvailable: data.is_available }
    case 'AppAssigned':
      return withClient({ ...app, configurationVersion }, data.client_code, { settings: data.settings })
    case 'AssignmentAvailabilitySet':
      return withClient({ ...app, configurationVersion }, data.client_code, { isAvailable: data.is_available })
    default:
      return app
  }
}

function withClient(app: App, code: string, changed: Partial<AppClient>): App {
  const known = app.clients.get(code)
  const settings = changed.settings ?? known?.settings
  if (settings === undefined) return app
  const client = { isAvailable: changed.isAvailable ?? known?.isAvailable ?? true, settings }
  return { ...app, clients: new Map([...app.clients, [code, client]]) }
}

function decide(command: AppCommand, app: App | undefined): readonly AppEvent[] {
  const { at, app_code } = command
  if (command.type === 'ConfigureApp') {
    const isSame = JSON.stringify(app?.settings) === JSON.stringify(command.settings)
    return isSame ? [] : [{ type: 'AppConfigured', data: { at, app_code, settings: command.settings } }]
  }
  if (app === undefined) throw new EngineError('app_context_not_found')
  return command.type === 'AssignApp' ? assign(command, app) : setAvailability(command, app)
}

function assign(
  { at, app_code, client_code, settings }: Extract<AppCommand, { readonly type: 'AssignApp' }>,
  app: App,
): readonly AppEvent[] {
  const known = [app.settings.capabilities, ['email', ...app.settings.providers.map(({ name }) => name)]].flat()
  const unknown = [...settings.capabilities, ...settings.methods].find((name) => !known.includes(name))
  if (unknown !== undefined) throw new EngineError('unknown_value', { received: unknown, expected: known.join(', ') })
  const isSame = JSON.stringify(app.clients.get(client_code)?.settings) === JSON.stringify(settings)
  return isSame ? [] : [{ type: 'AppAssigned', data: { at, app_code, client_code, settings } }]
}

function setAvailability(
  { at, app_code, client_code, is_available }: Extract<AppCommand, { readonly type: 'SetAvailability' }>,
  app: App,
): readonly AppEvent[] {
  const target = client_code === undefined ? app : app.clients.get(client_code)
  if (target === undefined) throw new EngineError('app_context_not_found')
  if (target.isAvailable === is_available) return []
  const base = { at, app_code, is_available }
  if (client_code === undefined) return [{ type: 'AppAvailabilitySet', data: base }]
  return [{ type: 'AssignmentAvailabilitySet', data: { ...base, client_code } }]
}

/** The decider of one app. */
export const apps: Decider<App | undefined, AppCommand, AppEvent> = { initial: () => undefined, evolve, decide }

/** The client that an app is assigned to, where both can be used. */
export function availableClient(app: App | undefined, clientCode: string): AppClient | undefined {
  const client = app?.clients.get(clientCode)
  return app?.isAvailable === true && client?.isAvailable === true ? client : undefined
}
