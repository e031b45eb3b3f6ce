import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { configFrom } from './config.ts'
import { startServer } from './main.ts'

t.test(
  'given a silent connection, half a request and a live stream, when the server stops, then it ends all the same',
  async (t) => {
    const { url, stop } = await startServer({
      port: 0,
      host: '127.0.0.1',
      dataDir: t.testdir(),
      hsts: false,
      baseUrl: undefined,
    })
    const port = Number(new URL(url).port)
    const sockets = [
      '',
      'GET / HTTP/1.1\r\nX-A: ',
      'POST /api/v1/otep/validate HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
    ].map((text) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      socket.on('error', () => {})
      return socket
    })
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    t.equal((await fetch(`${url}/openapi.json`)).status, 200)
    const closed = Promise.all(sockets.map((socket) => once(socket, 'close')))
    await stop()
    await closed
    await t.rejects(fetch(`${url}/openapi.json`), 'nobody listens any more')
  },
)

t.test('the configuration is read from the environment, and what cannot be is refused by name', async (t) => {
  t.same(configFrom({}), { port: 3000, host: undefined, dataDir: './data', hsts: false, baseUrl: undefined })
  t.same(
    configFrom({
      PORT: '0',
      HOST: '::1',
      OTEP_DATA_DIR: '/srv/otep',
      OTEP_HSTS: 'yes',
      OTEP_BASE_URL: 'https://a.example/t/',
    }),
    {
      port: 0,
      host: '::1',
      dataDir: '/srv/otep',
      hsts: true,
      baseUrl: 'https://a.example/t',
    },
  )
  t.throws(() => configFrom({ PORT: 'abc' }), /PORT/)
  t.throws(() => configFrom({ PORT: '70000' }), /PORT/)
  t.throws(() => configFrom({ OTEP_HSTS: 'maybe' }), /OTEP_HSTS/)
  for (const OTEP_BASE_URL of ['a.example', 'ftp://a.example', 'https://a.example/?a=b'])
    t.throws(() => configFrom({ OTEP_BASE_URL }), /OTEP_BASE_URL/)
})
