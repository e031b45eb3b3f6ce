// What a program that was just installed must do: serve, take a parcel's journey, show it, send a webhook, and stop when
// it is asked to.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const example = new URL('../docs/examples/happy-path.json', import.meta.url)

/**
 * Starts a server with `start` in `directory`, adds a provider with the program `cli`, pushes a parcel's journey and reads
 * it as a page and in a format; then adds a business, whose order is told by a webhook. `more` is done while the server runs.
 * Ends it with SIGTERM.
 */
export async function journey({ start, cli, directory, data, env = {}, name = start.join(' '), more = () => {} }) {
  const began = performance.now()
  const settings = {
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    OTEP_LOG_LEVEL: 'error',
    OTEP_WEBHOOK_ALLOW: '127.0.0.0/8',
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
    // Not in this thread: what waits for it would not see that the server has closed a kept connection meanwhile.
    const otep = async (...words) =>
      (
        await promisify(execFile)(cli[0], [...cli.slice(1), ...words, '--data-dir', data], { cwd: directory })
      ).stdout.trim()
    await pushAndRead(url, await otep('provider', 'add', 'demo', '--all-businesses'))
    await receiveWebhook(url, otep)
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

/** Adds a business with an admin, who orders a delivery; resolves when its webhook has come. */
async function receiveWebhook(url, otep) {
  const business = ['--new-business', 'Acme', '--time-zone', 'America/Toronto', '--currency', 'CAD']
  const email = 'ann@acme.example'
  const password = await otep('account', 'add', email, '--role', 'client_admin', ...business)
  const headers = { 'Content-Type': 'application/json' }
  const ask = async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
  const { access_token: token } = await ask('POST', 'user/login', { email, password })
  headers.Authorization = `Bearer ${token}`
  const receiver = createServer((_, response) => response.end())
  try {
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const told = once(receiver, 'request')
    const settings = { order_create_webhook_url: `http://127.0.0.1:${receiver.address().port}/` }
    await ask('PUT', 'webhook-settings', settings)
    await ask('POST', 'orders', { type: 'D', items: 1, delivery: { name: 'Ana', address: { street: '1 Main St' } } })
    const [{ headers: sent }] = await told
    assert.ok(sent['x-webhook-event-id'], 'the webhook names its event')
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
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
