import type { Hono } from 'hono'
import { recordCall } from '../../engine/testing/recording.test.fixture.ts'

/** The app, whose calls with a good answer in JSON are recorded for the examples of the interface. */
export function recording(app: Hono): Hono {
  const request = app.request.bind(app)
  app.request = async (input, init, ...rest) => {
    const answer = await request(input, init, ...rest)
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') && init?.method !== 'HEAD'
    if (answer.status === 200 && isJson && typeof input === 'string')
      recordCall(await lineOf(input, init, answer.clone()))
    return answer
  }
  return app
}

async function lineOf(path: string, { method = 'GET', body }: RequestInit = {}, answer: Response): Promise<object> {
  return { method, path, status: answer.status, body: parsed(body), answer: await answer.json() }
}

/** The JSON of a body, if it is some. */
function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
