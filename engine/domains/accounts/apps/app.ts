import type { Role } from '../../../kernel/account.ts'
import type { IdentityProvider } from '../../../kernel/credentials.ts'
import type { Decider, Reducer } from '../../../kernel/decider.ts'
import { EngineError } from '../../../kernel/errors.ts'
import type { Event } from '../../../kernel/event.ts'
import type { ShapesOf } from '../../../kernel/event-shape.ts'
import type { StreamName } from '../../../kernel/stream.ts'

/** The stream of an app and its clients. */
export function appStream(code: string): StreamName {
  return `app-${code}`
}

/** The version limits of an app on a platform (Semantic Versioning 2.0.0). */
export interface Versions {
  readonly platform: 'ios' | 'android'
  /** Earlier versions must be updated. */
  readonly minimum_version: string
  /** Earlier versions should be updated. */
  readonly latest_version: string
}

/** The settings of an app for all clients. */
export interface AppSettings {
  readonly name: string
  readonly type: string
  readonly schema_version: number
  /** Kinds of account that may sign in. */
  readonly roles: readonly Role[]
  /** Identity providers, with the name that is used in the path. */
  readonly providers: readonly (IdentityProvider & { readonly name: string; readonly requires_nonce?: boolean })[]
  /** Ids of all capabilities that a client can have. */
  readonly capabilities: readonly string[]
  readonly versions: readonly Versions[]
}

/** The settings of an app for one client. */
export interface ClientSettings {
  readonly display_name: string
  readonly business_id: number
  /** `email`, and names of the app's identity providers. */
  readonly methods: readonly string[]
  /** The enabled capabilities of the app. */
  readonly capabilities: readonly string[]
  /** Shortcuts on the home screen, in this order. */
  readonly quick_actions: readonly string[]
  /** ISO 3166-1 alpha-2. */
  readonly default_phone_region: string
  /** Who may register; nobody if absent. */
  readonly registration?: Registration
}

/** How customers of a client's business register in the app. */
interface Registration {
  /** Whether the business enables each account before it can sign in. */
  readonly requires_approval: boolean
  /** Whether a phone number has to be confirmed with a code, beside the email address. */
  readonly phone_verification_required: boolean
}

interface AppEventBase {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly app_code: string
}

/** The events of an app. */
export type AppEvent =
  | Event<'AppConfigured', AppEventBase & { readonly settings: AppSettings }>
  | Event<'AppAvailabilitySet', AppEventBase & { readonly is_available: boolean }>
  | Event<'AppAssigned', AppEventBase & { readonly client_code: string; readonly settings: ClientSettings }>
  | Event<'AssignmentAvailabilitySet', AppEventBase & { readonly client_code: string; readonly is_available: boolean }>

/** The shapes of app events. */
export const appEventShapes: ShapesOf<AppEvent> = {
  AppConfigured: { at: 'text', app_code: 'text', settings: 'object' },
  AppAvailabilitySet: { at: 'text', app_code: 'text', is_available: 'flag' },
  AppAssigned: { at: 'text', app_code: 'text', client_code: 'text', settings: 'object' },
  AssignmentAvailabilitySet: { at: 'text', app_code: 'text', client_code: 'text', is_available: 'flag' },
}

/** An app's assignment to a client. */
export interface AppClient {
  readonly settings: ClientSettings
  readonly isAvailable: boolean
}

/** The state of an app. */
export interface App {
  readonly code: string
  readonly settings: AppSettings
  readonly isAvailable: boolean
  readonly clients: ReadonlyMap<string, AppClient>
  /** Counts the changes of the app and its assignments. */
  readonly configurationVersion: number
}

/** The commands of an app. */
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

/** An app's client, if both the app and the assignment are available. */
export function availableClient(app: App | undefined, clientCode: string): AppClient | undefined {
  const client = app?.clients.get(clientCode)
  return app?.isAvailable === true && client?.isAvailable === true ? client : undefined
}
