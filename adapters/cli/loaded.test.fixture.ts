import { existsSync, readFileSync } from 'node:fs'

/** Runs in the program's process before it, and writes down every module that is loaded. */
const hook = `
  import { appendFileSync } from 'node:fs'
  export async function load(url, context, next) {
    appendFileSync(process.env.OTEP_TEST_LOADED, url + '\\n')
    return next(url, context)
  }
  export async function resolve(name, context, next) {
    if (name !== process.env.OTEP_TEST_ABSENT) return next(name, context)
    throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: 'ERR_MODULE_NOT_FOUND' })
  }`

const asUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`

/** The option of Node that records the modules. */
export const watched = [
  '--import',
  asUrl(`import { register } from 'node:module'; register(${JSON.stringify(asUrl(hook))})`),
] as const

/** The loaded modules, except those of Node: packages by name, others by path. */
export function loadedIn(file: string): readonly string[] {
  if (!existsSync(file)) return []
  const urls = readFileSync(file, 'utf8').trim().split('\n')
  return urls.flatMap((url) => (url.startsWith('file:') ? nameOf(new URL(url).pathname) : []))
}

function nameOf(path: string): string {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
  return name ?? path.replace(/^.*\/(?=(adapters|engine|profiles|projections)\/)/, '').replace(/\.js$/, '')
}
