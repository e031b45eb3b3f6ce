// What a program that was just installed must do: serve, take a parcel's journey, show it, and stop when it is asked to.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const example = new URL('../docs/examples/happy-path.json', import.meta.url)

/**
 * Starts a server with `start` in `directory`, adds a provider with the program `cli`, pushes a parcel's journey and reads
 * it as a page and in a format. `more` is done while the server runs. Ends it with SIGTERM.
 */
export async function journey({ start, cli, directory, data, env = {}, name = start.join(' '), more = () => {} }) {
  const began = performance.now()
  const settings = {
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    OTEP_LOG_LEVEL: 'error',
    ...env,
    OTEP_DATA_DIR: data,
  }
  const options = { cwd: directory, env: settings, stdio: ['ignore', 'pipe', 'inherit'], detached: true }
  const server = spawn(start[0], start.slice(1), options)
  const ended = new Promise((resolve) => server.once('exit', resolve))
  try {
    const url = await addressOf(server)
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
    console.log(`${name}: first answer after ${since(began)} (goal 600 ms for otep serve)`)
    if (start[0] !== 'npm') tellMemory(server.pid)
    const words = ['provider', 'add', 'demo', '--all-businesses', '--data-dir', data]
    const key = execFileSync(cli[0], [...cli.slice(1), ...words], { cwd: directory, encoding: 'utf8' }).trim()
    await pushAndRead(url, key)
    await more(url, settings)
  } finally {
    process.kill(-server.pid, 'SIGTERM')
    const code = await ended
    // npm reports the signal that it got itself.
    if (start[0] !== 'npm') assert.equal(code, 0, 'the server ends with 0 after SIGTERM')
  }
}

async function pushAndRead(url, key) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = readFileSync(example, 'utf8')
  const pushed = await fetch(`${url}/api/v1/otep/ingest`, { method: 'POST', headers, body })
  assert.equal(pushed.status, 200, await pushed.text())
  for (const [path, what] of [
    ['/api/v1/otep/trackings/SR260610041', /"current_status":"delivered"/],
    ['/api/v1/otep/trackings/SR260610041?format=epcis', /"type":"EPCISQueryDocument"/],
    ['/track/SR260610041', /<html/],
    ['/openapi.json', /"openapi":"3\.1/],
  ])
    assert.ok(what.test(await (await fetch(url + path)).text()), `${path} has no ${what}`)
}

async function addressOf({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const [url] = /http:\/\/\S+:\d+/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('The server ended before it listened.')
}

/** Tells what a process keeps in memory, where the system says so. */
function tellMemory(pid) {
  const status = `/proc/${pid}/status`
  const [, kibibytes] = existsSync(status) ? (/VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8')) ?? []) : []
  if (kibibytes !== undefined) console.log(`resident: ${Math.round(kibibytes / 1024)} MiB (goal 100)`)
}

/** The time since a moment of `performance.now()`, for people. */
export function since(start) {
  return `${Math.round(performance.now() - start)} ms`
}
