import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { operation } from '../../../kernel/operation.ts'
import { isoOf } from '../../../kernel/time.ts'
import { execute } from '../../../store/execute.ts'
import { toNewEvent } from '../../../store/to-new-event.ts'
import { businessOf, load } from '../read.ts'
import { type AppCommand, appStream, apps } from './app.ts'
import { appSettings, clientSettings, code } from './schema.ts'

const scopes = ['platform:write']

async function runCommand(context: Context, command: AppCommand): Promise<void> {
  await execute(context.store, apps, appStream(command.app_code), command, toNewEvent(context))
}

/** Configures an app. */
export const configureApp = operation({
  name: 'configure_app',
  summary: 'Configure an app: who may sign in, identity providers, capabilities, and versions.',
  scopes,
  risk: 'medium',
  input: v.strictObject({ app_code: code, settings: appSettings }),
  output: v.strictObject({ result: v.literal(true), app_code: v.string() }),
  errors: [],
  handle: async (context, { app_code, settings }) => {
    await runCommand(context, { type: 'ConfigureApp', at: isoOf(context.clock()), app_code, settings })
    return { result: true, app_code }
  },
})

/** Assigns an app to a client. */
export const assignApp = operation({
  name: 'assign_app',
  summary: 'Assign an app to a client of a business: its name, sign-in methods, capabilities, and shortcuts.',
  scopes,
  risk: 'medium',
  ids: { 'settings.business_id': 'rule' },
  input: v.strictObject({ app_code: code, client_code: code, settings: clientSettings }),
  output: v.strictObject({ result: v.literal(true), app_code: v.string(), client_code: v.string() }),
  errors: ['app_context_not_found', 'business_not_found', 'unknown_value'],
  handle: async (context, { app_code, client_code, settings }) => {
    if ((await businessOf(context, settings.business_id)) === undefined) throw new EngineError('business_not_found')
    await runCommand(context, { type: 'AssignApp', at: isoOf(context.clock()), app_code, client_code, settings })
    return { result: true, app_code, client_code }
  },
})

/** Makes an app, or its assignment to one client, available or unavailable. */
export const setAppAvailability = operation({
  name: 'set_app_availability',
  summary: 'Make an app, or its assignment to one client, unavailable or available again.',
  scopes,
  risk: 'medium',
  input: v.strictObject({ app_code: code, client_code: v.exactOptional(code), is_available: v.boolean() }),
  output: v.strictObject({ result: v.literal(true), app_code: v.string(), is_available: v.boolean() }),
  errors: ['app_context_not_found'],
  handle: async (context, { app_code, is_available, client_code }) => {
    const change = { at: isoOf(context.clock()), app_code, is_available }
    await runCommand(context, {
      type: 'SetAvailability',
      ...change,
      ...(client_code === undefined ? {} : { client_code }),
    })
    return { result: true, app_code, is_available }
  },
})

/** Returns the configuration of an app. */
export const showApp = operation({
  name: 'show_app',
  summary: 'Configuration of an app and its clients.',
  scopes,
  risk: 'low',
  input: v.strictObject({ app_code: code }),
  output: v.strictObject({
    result: v.literal(true),
    app_code: v.string(),
    is_available: v.boolean(),
    configuration_version: v.number(),
    settings: appSettings,
    clients: v.array(v.strictObject({ client_code: v.string(), is_available: v.boolean(), settings: clientSettings })),
  }),
  errors: ['app_context_not_found'],
  handle: async ({ store }, { app_code }) => {
    const { state: app } = await load(store, apps, appStream(app_code))
    if (app === undefined) throw new EngineError('app_context_not_found')
    const clients = [...app.clients].map(([client_code, { settings, isAvailable }]) => ({
      client_code,
      is_available: isAvailable,
      settings,
    }))
    const { isAvailable: is_available, configurationVersion: configuration_version, settings } = app
    return { result: true, app_code, is_available, configuration_version, settings, clients }
  },
})
