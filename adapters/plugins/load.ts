import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Added, type BuiltIn, isPlugin, nothingAdded, pluginFindings, withPlugin } from './findings.ts'
import type { OtepConfig, Plugin } from './index.ts'

/** The names of a configuration file in the working directory; the first that exists counts. */
const configNames = ['otep.config.js', 'otep.config.mjs']

/** The most findings that an error lists. */
const maxListed = 5

/** Where plug-ins come from. */
interface PluginSources {
  /** The working directory: paths and packages are looked up from here, and the configuration file lies here. */
  readonly directory: string
  /** Names of packages, or paths that start with `.` or `/`. */
  readonly names: readonly string[]
}

/**
 * Loads the plug-ins of the configuration file, and then the named ones; one that is named twice is loaded once. Returns
 * what they add. Throws an error with the plug-in, the member and the reason if one cannot be added.
 */
export async function loadPlugins(builtIn: BuiltIn, { directory, names }: PluginSources): Promise<Added> {
  let added = nothingAdded
  const loaded = new Set<unknown>()
  for (const { name, load } of [...(await configured(directory)), ...names.map((one) => named(one, directory))]) {
    const plugin = await load()
    if (loaded.has(plugin)) continue
    loaded.add(plugin)
    const findings = pluginFindings(plugin, builtIn, added)
    if (findings.length > 0 || !isPlugin(plugin))
      throw refusal(
        name,
        findings.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
      )
    added = withPlugin(added, plugin)
  }
  return added
}

/** A plug-in that is not loaded yet. */
interface Source {
  readonly name: string
  readonly load: () => Promise<unknown>
}

async function configured(directory: string): Promise<readonly Source[]> {
  const name = configNames.find((one) => existsSync(join(directory, one)))
  if (name === undefined) return []
  const { default: config } = await imported(name, pathToFileURL(join(directory, name)).href)
  const plugins = (config as OtepConfig | undefined)?.plugins
  if (!Array.isArray(plugins)) throw refusal(name, ['its default export must be { plugins: [...] }'])
  return plugins.map((plugin: string | Plugin, index) =>
    typeof plugin === 'string'
      ? named(plugin, directory)
      : { name: `${name} plugins[${index}]`, load: async () => plugin },
  )
}

function named(name: string, directory: string): Source {
  return { name, load: async () => (await imported(name, addressOf(name, directory))).plugin }
}

/** The URL of a module. A name that starts with `.` or `/` is a path, any other one is a package. */
function addressOf(name: string, directory: string): string {
  if (/^(\.{0,2}[/\\]|[A-Za-z]:[/\\])/.test(name)) return fileUrl(name, directory)
  try {
    return pathToFileURL(createRequire(join(directory, 'package.json')).resolve(name)).href
  } catch (error) {
    const isFile = existsSync(resolve(directory, name))
    throw refusal(name, [isFile ? `there is no such package; for the file write ./${name}` : firstLine(error)])
  }
}

function fileUrl(name: string, directory: string): string {
  const file = resolve(directory, name)
  if (!existsSync(file)) throw refusal(name, [`there is no file ${file}`])
  return pathToFileURL(file).href
}

async function imported(name: string, url: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(url)) as Readonly<Record<string, unknown>>
  } catch (error) {
    throw refusal(name, [firstLine(error)])
  }
}

/** The message of an error in one line. */
function firstLine(error: unknown): string {
  const text = error instanceof Error && error.name === 'Error' ? error.message : String(error)
  return text.split('\n', 1)[0] ?? text
}

function refusal(name: string, reasons: readonly string[]): Error {
  const more = reasons.length > maxListed ? [`and ${reasons.length - maxListed} more`] : []
  const listed = [...reasons.slice(0, maxListed), ...more].join('; ')
  return Object.assign(new Error(`The plug-in ${name} cannot be used: ${listed}.`.replace(/\.\.$/, '.')), {
    code: 'faulty_plugin',
  })
}
